import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { comparePicture, launchChromium } from '../../../../test/support/pictures.ts';
import { type StartedService, startFromCommandLine } from '../../../../test/support/started-service.ts';

let service: StartedService;
let browser: Browser;
beforeAll(async () => {
  [service, browser] = await Promise.all([startFromCommandLine(), launchChromium()]);
});
afterAll(async () => {
  await browser.close();
  await service.stop();
});

/** The errors that pages printed, including violations of the Content-Security-Policy. */
const errors: string[] = [];

async function open(options: Parameters<Browser['newPage']>[0], contract?: object): Promise<Page> {
  const page = await browser.newPage(options);
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
  page.on('pageerror', (error) => errors.push(String(error)));
  if (contract !== undefined)
    await page.route('**/openapi.json', (route) => route.fulfill({ json: contract }));
  await page.goto(`${service.url}/docs`);
  return page;
}

/** Clicks Execute. @returns the status, the body that was sent, and the response as the page shows it */
async function execute(page: Page) {
  const [response] = await Promise.all([
    page.waitForResponse(`${service.url}/plants`),
    page.getByRole('button', { name: 'Execute' }).click(),
  ]);
  const shown = await page
    .locator('.live-responses-table .response-col_description code')
    .first()
    .innerText();
  return { status: response.status(), sent: response.request().postData(), shown };
}

describe('the docs page', () => {
  test.each(['light', 'dark'] as const)('matches the picture page-%s.png', async (colorScheme) => {
    const page = await open({ colorScheme, viewport: { width: 1280, height: 1330 } });
    await page.getByRole('button', { name: 'Execute' }).waitFor();
    await comparePicture(page, `page-${colorScheme}.png`, await page.screenshot());
  });

  test.each([1280, 390])('creates a plant with one click in a window of %i pixels', async (width) => {
    const page = await open({ viewport: { width, height: 960 } });
    const { status, sent, shown } = await execute(page);
    expect([status, shown]).toEqual([200, '{"name":"Ficus","tag":"indoor"}']);
    expect(sent).toContain('"name": "Ficus"');
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
    expect(errors).toEqual([]);
  });

  test('sends a body exactly as typed, links to openapi.json, and offers no other server', async () => {
    const page = await open({});
    const body = '{"id": 9223372036854775807,  "name": "Oak"}';
    await page.locator('textarea').first().fill(body);
    expect(await execute(page)).toEqual({ status: 200, sent: body, shown: '{"name":"Oak"}' });
    const link = page.getByRole('link', { name: '/openapi.json' });
    expect((await page.request.get(`${service.url}${await link.getAttribute('href')}`)).status()).toBe(200);
    expect(await page.locator('.servers').count()).toBe(0);
    expect(errors).toEqual([]);
  });

  test('shows a response exactly as it came', async () => {
    const operation = { responses: { 200: { description: 'All plants.' } } };
    const page = await open(
      {},
      {
        openapi: '3.1.1',
        info: { title: 'Changed', version: '1' },
        paths: { '/plants': { get: operation } },
      },
    );
    const body = '[{"id":9223372036854775807, "size":1.0}]';
    await page.route('**/plants', (route) => route.fulfill({ contentType: 'application/json', body }));
    expect(await execute(page)).toMatchObject({ status: 200, shown: body });
    expect(errors).toEqual([]);
  });
});
