import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { type StartedService, startFromCommandLine } from '../support/started-service.ts';
import { launchBrowser, type Visit, visit } from './browser.ts';

/** Screenshots for people; no test compares them. */
const PICTURES = join(import.meta.dirname, '../../reports/docs-page');

const widths = [
  ['desktop', { width: 1280, height: 900 }],
  ['phone', { width: 390, height: 844 }],
] as const;

let service: StartedService;
let browser: Browser;
beforeAll(async () => {
  [service, browser] = await Promise.all([startFromCommandLine(), launchBrowser()]);
  await mkdir(PICTURES, { recursive: true });
});
afterAll(async () => {
  await browser.close();
  await service.stop();
});

describe.each(widths)('the docs page on a %s', (device, viewport) => {
  let context: BrowserContext;
  let docs: Visit;
  beforeEach(async () => {
    context = await browser.newContext({ viewport });
    docs = await visit(context, `${service.url}/docs`);
  });
  afterEach(() => context.close());

  test('shows the operation createPlant', async () => {
    await docs.page.getByRole('heading', { name: /Plant Store/ }).waitFor();
    await expect(docs.page.locator('.opblock-summary').innerText()).resolves.toMatch(
      /POST\s+\/plants\s+Create a plant/,
    );
    await docs.page.screenshot({ path: join(PICTURES, `${device}.png`), fullPage: true });
    expect(docs.errors).toEqual([]);
  });

  test('is not wider than the screen', async () => {
    await execute(docs.page, '{"id": 1.5}');
    const overflow = await docs.page.evaluate('document.documentElement.scrollWidth - innerWidth');
    expect(overflow).toBeLessThanOrEqual(0);
  });

  test('creates a plant with one click', async () => {
    await expect(execute(docs.page)).resolves.toEqual({
      status: '200',
      body: { name: 'Ficus', tag: 'indoor' },
    });
    await docs.page.screenshot({ path: join(PICTURES, `${device}-created.png`), fullPage: true });
    expect(docs.errors).toEqual([]);
  });

  test('sends the digits of an id as typed', async () => {
    const body = '{"id": 9223372036854775807, "name": "Oak"}';
    const sent = docs.page.waitForRequest(`${service.url}/plants`);
    await expect(execute(docs.page, body)).resolves.toMatchObject({ status: '200' });
    expect((await sent).postData()).toBe(body);
  });

  test('shows the Error body of an invalid plant', async () => {
    const response = await execute(docs.page, '{"id": 1.5}');
    await docs.page.screenshot({ path: join(PICTURES, `${device}-rejected.png`), fullPage: true });

    expect(response).toEqual({
      status: '400',
      body: { error: 1002, message: expect.stringContaining('name is required') },
    });
    // The browser itself logs every such response as an error.
    expect(docs.errors).toEqual([expect.stringContaining('the server responded with a status of 400')]);
  });

  test('sends requests to this machine only', async () => {
    await execute(docs.page);
    const origins = new Set(docs.requested.map((url) => new URL(url).origin));
    expect([...origins]).toEqual([service.url]);
  });
});

/** Types the body, if there is one, clicks "Execute", and reads the response. */
async function execute(page: Page, body?: string): Promise<{ status: string; body: unknown }> {
  if (body !== undefined) await page.locator('.body-param__text').fill(body);
  await page.getByRole('button', { name: 'Execute' }).click();
  const response = page.locator('.live-responses-table');
  const status = await response.locator('tbody .response-col_status').first().innerText();
  const text = await response.locator('.highlight-code').first().innerText();
  return {
    status: status.trim(),
    body: JSON.parse(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1)),
  };
}
