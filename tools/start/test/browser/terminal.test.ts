import { afterAll, beforeAll, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { comparePicture, launchChromium } from '../../../../test/support/pictures.ts';
import { type StartedService, startFromCommandLine } from '../../../../test/support/started-service.ts';

// biome-ignore lint/suspicious/noControlCharactersInRegex: a color is a control sequence
const ANSI_COLOR = /\u001b\[(\d+)m/g;
const COLORS: Readonly<Record<string, string>> = { 31: '#ff9d98', 32: '#7ddba0', 33: '#ffb86b' };

let service: StartedService;
let browser: Browser;
beforeAll(async () => {
  service = await startFromCommandLine({ FORCE_COLOR: '1', NO_COLOR: undefined });
  browser = await launchChromium();
});
afterAll(async () => {
  await browser.close();
  await service.stop();
});

test('the picture terminal.png matches what npm start prints', async () => {
  await fetch(`${service.url}/docs`);
  await post('{"id":1,"name":"Ficus","tag":"indoor"}');
  await post('{"id":1}');
  await post('{}', 'no-token');
  const page = await browser.newPage({ viewport: { width: 1060, height: 200 } });
  await page.setContent(terminal(`$ npm start\n${service.printed()}\n${service.logged()}`));
  await comparePicture(page, 'terminal.png', await page.locator('pre').screenshot());
});

function post(body: string, token = service.token) {
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  return fetch(`${service.url}/plants`, { method: 'POST', headers, body });
}

/** Returns HTML that looks like a terminal, with the default ports and without the token. */
function terminal(text: string): string {
  const shown = text
    .replaceAll(service.token, 'plantstore_…')
    .replaceAll(/DATA_DIR=\S+ /g, '')
    // Printed only on a busy machine.
    .replaceAll(/^Still synthesizing .*\n/gm, '')
    .replaceAll(/(localhost:)\d+/g, '$13000')
    .replaceAll(/(127\.0\.0\.1:)\d+/g, '$18000')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll(ANSI_COLOR, (_, code) => `</span><span style="color: ${COLORS[code] ?? 'inherit'}">`);
  const style = 'margin: 0; padding: 16px; font: 15px/1.4 monospace; color: #e3e9e6; background: #121715';
  return `<meta charset="utf-8"><body style="margin: 0"><pre style="${style}"><span>${shown}</span></pre>`;
}
