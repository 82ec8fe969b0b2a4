import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { type StartedService, startFromCommandLine } from '../../../../test/support/started-service.ts';
import { launchBrowser, type Visit, visit } from './browser.ts';

/** Screenshots for people; no test compares them. */
const PICTURES = join(import.meta.dirname, '../../../../reports/docs-page');

const READABILITY = join(import.meta.dirname, 'readability.js');

const widths = [
  ['desktop', { width: 1280, height: 800 }],
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
    context = await browser.newContext({ viewport, colorScheme: 'light' });
    docs = await visit(context, `${service.url}/docs`);
    await docs.page.getByRole('button', { name: 'Execute' }).waitFor();
  });
  afterEach(() => context.close());

  test('shows the operation createPlant', async () => {
    await docs.page.getByRole('heading', { name: /Plant Store/ }).waitFor();
    await expect(docs.page.locator('.opblock-summary').innerText()).resolves.toMatch(
      /POST\s+\/plants\s+Create a plant/,
    );
    expect(docs.errors).toEqual([]);
  });

  test('shows the request and "Execute" without scrolling', async () => {
    const request = docs.page.locator('.opblock-section-request-body');
    await expect(isInView(request.getByRole('combobox').last())).resolves.toBe(true);
    await expect(isInView(request.locator('.body-param__text'))).resolves.toBe(true);
    await expect(isInView(docs.page.getByRole('button', { name: 'Execute' }))).resolves.toBe(true);
  });

  test('shows the response without scrolling', async () => {
    await execute(docs.page);
    const response = docs.page.locator('.live-responses-table tbody');
    await expect(isInView(response.locator('.response-col_status'))).resolves.toBe(true);
    await expect(isInView(response.locator('.highlight-code'))).resolves.toBe(true);
    await expect(docs.page.evaluate('scrollY')).resolves.toBe(0);
  });

  test.each(['dark', 'light'] as const)(
    'follows the %s color scheme with readable contrast',
    async (colorScheme) => {
      const { page } = docs;
      await page.emulateMedia({ colorScheme: colorScheme === 'dark' ? 'light' : 'dark' });
      await page.emulateMedia({ colorScheme });
      await page.screenshot({ path: join(PICTURES, `${device}-${colorScheme}.png`) });
      await execute(page, '{"id": 1.5}');
      await page.screenshot({ path: join(PICTURES, `${device}-${colorScheme}-rejected.png`) });

      const readability = await page.evaluate(await readFile(READABILITY, 'utf8'));
      expect(readability).toEqual({ dark: colorScheme === 'dark', lowContrast: [] });
    },
  );

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
    expect(docs.errors).toEqual([]);
  });

  test('sends the digits of an id as typed', async () => {
    const body = '{"id": 9223372036854775807, "name": "Oak"}';
    const sent = docs.page.waitForRequest(`${service.url}/plants`);
    await expect(execute(docs.page, body)).resolves.toMatchObject({ status: '200' });
    expect((await sent).postData()).toBe(body);
  });

  test('offers examples that are named by what they show, and creates their plants', async () => {
    const choice = docs.page.locator('.opblock-section-request-body .examples-select-element');
    const names = await choice.locator('option').allInnerTexts();
    expect(names).toEqual(['A plant with a tag', 'A plant without a tag', 'An id above 2^53']);
    for (const label of names) {
      const received = docs.page.waitForResponse(`${service.url}/plants`);
      await choice.selectOption({ label });
      await execute(docs.page);
      expect([label, (await received).status()]).toEqual([label, 200]);
    }
  });

  test('shows the Error body of an invalid plant, and below it what a client does', async () => {
    const response = await execute(docs.page, '{"id": 1.5}');
    expect(response).toEqual({
      status: '400',
      body: { error: 1002, message: expect.stringContaining('name is required') },
    });
    await expect(docs.page.locator('.response_current .example__section').innerText()).resolves.toBe(
      'A client fixes the fields that the message names.',
    );
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

/** Whether all of the first such element is in view. */
async function isInView(elements: Locator): Promise<boolean> {
  const box = await elements.first().boundingBox();
  const viewport = elements.page().viewportSize();
  if (box === null || viewport === null) return false;
  const { x, y, width, height } = box;
  return x >= 0 && y >= 0 && x + width <= viewport.width && y + height <= viewport.height;
}
