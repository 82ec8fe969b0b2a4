import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { Browser, Locator, Page } from 'playwright-core';
import { comparePicture, launchChromium } from '../../../../test/support/pictures.ts';
import { type StartedService, startFromCommandLine } from '../../../../test/support/started-service.ts';

/** Screenshots for people to look at. */
const SCREENSHOTS = join(import.meta.dirname, '../../../../reports/docs-page');
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

let service: StartedService;
let browser: Browser;
let page: Page;
/** Errors in the page's console. These include requests to other origins, because the browser blocks them. */
let errors: string[];

beforeAll(async () => {
  [service, browser] = await Promise.all([startFromCommandLine(), launchChromium()]);
});
afterAll(async () => {
  await browser.close();
  await service.stop();
});
beforeEach(async () => {
  page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  errors = [];
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
  page.on('pageerror', (error) => errors.push(String(error)));
  await page.goto(`${service.url}/docs`);
  await page.getByRole('button', { name: 'Execute' }).waitFor();
});
afterEach(() => page.close());

test.each([
  [1280, 800, 'light'],
  [1280, 800, 'dark'],
  [390, 844, 'light'],
  [390, 844, 'dark'],
] as const)(
  'the docs page is accessible and fits a screen of %d x %d in %s mode',
  async (width, height, colorScheme) => {
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme });
    const look = async (view: string) => {
      await page.screenshot({ path: join(SCREENSHOTS, `${width}-${colorScheme}-${view}.png`) });
      const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
      expect([view, overflow, await faults()]).toEqual([view, 0, []]);
    };
    const isInView = async (part: string) => {
      const box = await boxOf(part);
      return box.y >= 0 && box.y + box.height <= height;
    };
    for (const part of ['select', 'textarea', 'form > button'])
      expect([part, await isInView(part)]).toEqual([part, true]);
    await expect(page.locator('#try').innerText()).resolves.toMatch(
      /^Only a 200 with a Plant is a success\..*token for the client npm start is filled in.*POST\s+\/plants\s+Create a plant/s,
    );
    await look('first');
    await expect(execute()).resolves.toEqual([
      '200',
      { name: 'Ficus', tag: 'indoor' },
      'The plant is stored.',
    ]);
    await expect(isInView('.received')).resolves.toBe(true);
    if (width === 1280) await comparePicture(page, `page-${colorScheme}.png`, await page.screenshot());
    await look('created');
    expect(errors).toEqual([]);

    await execute('{"id": 1.5}');
    await page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true; })");
    await look('rejected');
    await page.getByRole('link', { name: 'Requests' }).click();
    await rows('400 1002').first().locator('summary').first().click();
    await look('requests');
    const [row, button] = await Promise.all([boxOf('#requests summary'), boxOf('#requests button')]);
    expect(button.y > row.y && button.y + button.height < row.y + row.height).toBe(true);
    await post(JSON.stringify({ id: 7, name: 'W'.repeat(1_000) }));
    await page.getByRole('link', { name: 'Tables' }).click();
    await page.locator(`td[title=${'W'.repeat(1_000)}]`).waitFor();
    const table = await boxOf('#Plants table');
    expect(table.width).toBeLessThanOrEqual(width);
    await look('tables');
    await expect(page.locator('#tables').innerText()).resolves.not.toMatch(/hash|[0-9a-f]{64}/);
  },
);

test('the docs page offers named examples, each of which creates a plant', async () => {
  const names = await page.locator('option').allInnerTexts();
  expect(names).toEqual(['A plant with a tag', 'A plant without a tag', 'An id above 2^53']);
  for (const label of names) {
    await page.locator('select').selectOption({ label });
    expect([label, ...(await execute())]).toEqual([label, '200', expect.anything(), 'The plant is stored.']);
  }
});

test('the docs page sends a body exactly as typed, even if it is empty, and shows how to handle the error', async () => {
  await expect(execute('')).resolves.toEqual(['400', expect.anything(), 'Send valid JSON.']);
  const body = '{"id": 9223372036854775807, "name": "Oak"}';
  const sent = page.waitForRequest(`${service.url}/plants`);
  await execute(body);
  expect((await sent).postData()).toBe(body);
  await page.getByRole('link', { name: 'Tables' }).click();
  await page.locator('#Plants tr:first-child td', { hasText: /^9223372036854775807$/ }).waitFor();
});

test('the docs page shows a request when it arrives, without its token, and sends it again with one click', async () => {
  await page.getByRole('link', { name: 'Requests' }).click();
  await post('{"id":8}', 'no-token', '?live=1');
  const rejected = rows(/POST \/plants\?live=1 401 2401 \d+ ms no client/);
  await rejected.locator('summary').first().click();
  await rows('Get a new token.').getByText('Headers').first().click();
  await expect(rows('?live=1').innerText()).resolves.toMatch(/authorization: \(not shown\)/i);
  await rows('?live=1').getByRole('button').click();
  await rows(/POST \/plants\?live=1 400 1002 \d+ ms \[npm start\].*name is required/s).waitFor();
  await post(service.token);
  await rows('Cannot be sent again: the stored body differs').locator('button:disabled').waitFor();
  const [one, other] = [rows('401 2401'), rows('[npm start]')].map((row) => row.first().locator('.badge'));
  expect((await one?.boundingBox())?.x).toBe((await other?.boundingBox())?.x);
  expect(await page.content()).not.toContain(service.token);
});

test('the docs page waits until the service responds again, and then fills in a token, which the user may replace', async () => {
  await page.route('**/docs/requests?*', (route) => route.abort());
  await page.getByText('run npm start again').waitFor();
  const token = page.waitForResponse('**/docs/token');
  await page.unroute('**/docs/requests?*');
  await token;
  await page.locator('[role=status]:empty').waitFor({ state: 'attached' });
  await page.getByText('npm start is filled in').click();
  await page.locator('#token input').fill('another token');
  await page.getByText('npm start was filled in, but you replaced it').waitFor();
});

test('the docs page shows a GET with a path parameter in the same layout as the first operation', async () => {
  await page.route('**/docs/openapi.json', async (route) => {
    const openapi = await (await route.fetch()).json();
    const { responses } = openapi.paths['/plants'].post;
    const id = { name: 'id', in: 'path', description: 'The id.' };
    const parameters = [id, { name: 'as', in: 'query' }];
    openapi.paths['/plants/{id}'] = { get: { summary: 'Get a plant', parameters, responses } };
    await route.fulfill({ json: openapi });
  });
  await page.reload();
  const [first, second] = [page.locator('.operation').first(), page.locator('.operation').nth(1)];
  await second.locator('summary').first().click();
  for (const [index, value] of ['a/7', 'x y'].entries()) await second.locator('input').nth(index).fill(value);
  const received = page.waitForResponse(`${service.url}/plants/a%2F7?as=x+y`);
  await second.getByRole('button', { name: 'Execute' }).click();
  expect((await received).status()).toBe(404);
  await second.locator('.received .badge').waitFor();
  const left = async (part: Locator) => (await part.boundingBox())?.x;
  for (const part of ['form', 'form > button', '.received + h2'])
    expect([part, await left(second.locator(part))]).toEqual([part, await left(first.locator(part))]);
  await expect(faults()).resolves.toEqual([]);
});

test('the docs page shows the first page of a table, and the next page after a click', async () => {
  for (let id = 1_000; id < 1_110; id++) await post(`{"id":${id},"name":"Fern"}`);
  await page.getByRole('link', { name: 'Tables' }).click();
  const items = page.locator('#Plants tbody tr');
  await expect(items.first().innerText()).resolves.toMatch(/^1109\tFern/);
  const count = await items.count();
  await page.locator('#Plants').getByRole('button', { name: 'More' }).click();
  await items.nth(count).waitFor();
});

function post(body: string, token = service.token, query = '') {
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  return fetch(`${service.url}/plants${query}`, { method: 'POST', headers, body });
}

/** Types the body, if any, clicks "Execute", and returns the status, the body and the advice that the page shows. */
async function execute(body?: string): Promise<readonly unknown[]> {
  if (body !== undefined) await page.locator('textarea').fill(body);
  const response = page.waitForResponse(`${service.url}/plants`);
  await page.getByRole('button', { name: 'Execute' }).click();
  await (await response).finished();
  const received = page.locator('.received');
  const shown = JSON.parse(await received.locator('pre').first().innerText());
  return [await received.locator('.badge').innerText(), shown, await received.locator('> p').innerText()];
}

/** Returns the position and size of the first element that matches the selector. */
async function boxOf(selector: string) {
  const box = await page.locator(selector).first().boundingBox();
  return box ?? { x: 0, y: Number.NaN, width: 0, height: 0 };
}

/** Finds the requests in the page's list that contain the text. */
function rows(text: string | RegExp): Locator {
  return page.locator('#requests li').filter({ hasText: text });
}

/** Returns the accessibility problems that axe rates as serious or critical. */
async function faults(): Promise<readonly (readonly string[])[]> {
  await page.evaluate(AXE);
  return page.evaluate(
    "axe.run().then(({ violations }) => violations.filter(({ impact }) => ['serious', 'critical'].includes(impact)).map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)]))",
  );
}
