import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { startFromCommandLine } from '../../../../test/support/started-service.ts';
import { visit } from './browser.ts';

/** The pictures of the README, in docs/pictures/. */
export const PICTURES = ['page-light.png', 'page-dark.png', 'terminal.png'] as const;

const COLORS: Readonly<Record<string, string>> = { 31: '#ff9d98', 32: '#7ddba0', 33: '#ffb86b' };

/** Takes the pictures from a service of its own. */
export async function takePictures(browser: Browser, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const service = await startFromCommandLine({ FORCE_COLOR: '1', NO_COLOR: undefined });
  for (const colorScheme of ['light', 'dark'] as const) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, colorScheme });
    const { page } = await visit(context, `${service.url}/docs`);
    await page.getByRole('button', { name: 'Execute' }).click();
    await page.locator('.received .status-2').waitFor();
    await page.screenshot({ path: join(folder, `page-${colorScheme}.png`) });
    await page.locator('textarea').fill('{"id": 1}');
    await page.getByRole('button', { name: 'Execute' }).click();
    await page.locator('.received .status-4').waitFor();
    await context.close();
  }
  await service.stop();
  const page = await browser.newPage({ viewport: { width: 1060, height: 200 } });
  await page.setContent(terminal(`$ npm start\n${service.printed()}${service.logged()}`, service.token));
  await writeFile(join(folder, 'terminal.png'), await page.locator('pre').screenshot());
  await page.close();
}

/** A page that shows what a terminal would, as on a machine with free ports and without the token. */
function terminal(text: string, token: string): string {
  const shown = text
    .replaceAll(token, 'plantstore_…')
    .replaceAll(/DATA_DIR=\S+ /g, '')
    .replaceAll(/(localhost:)\d+/g, '$13000')
    .replaceAll(/(127\.0\.0\.1:)\d+/g, '$18000')
    .replace(/\n*Stopping …\n*/, '\n\n')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what a color is
    .replaceAll(/\u001b\[(\d+)m/g, (_, code) => `</span><span style="color: ${COLORS[code] ?? 'inherit'}">`);
  const style = 'margin: 0; padding: 16px; font: 15px/1.4 monospace; color: #e3e9e6; background: #121715';
  return `<meta charset="utf-8"><body style="margin: 0"><pre style="${style}"><span>${shown}</span></pre>`;
}
