import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { type StartedService, startFromCommandLine } from '../../../../test/support/started-service.ts';
import { launchBrowser, type Visit, visit } from './browser.ts';
import { PICTURES, takePictures } from './pictures.ts';

/** Screenshots for people; no test compares them. */
const SCREENSHOTS = join(import.meta.dirname, '../../../../reports/docs-page');

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const widths = [
  ['desktop', { width: 1280, height: 800 }],
  ['phone', { width: 390, height: 844 }],
] as const;

let service: StartedService;
let browser: Browser;
beforeAll(async () => {
  [service, browser] = await Promise.all([startFromCommandLine(), launchBrowser()]);
  await takePictures(browser, join(import.meta.dirname, '../../../../reports/pictures'));
});
afterAll(async () => {
  await browser.close();
  await service.stop();
});

describe.each(widths)('the docs page on a %s', (device, viewport) => {
  let context: BrowserContext;
  let docs: Visit;
  let page: Page;
  beforeEach(async () => {
    context = await browser.newContext({ viewport, colorScheme: 'light' });
    docs = await visit(context, `${service.url}/docs`);
    page = docs.page;
    await page.getByRole('button', { name: 'Execute' }).waitFor();
  });
  afterEach(() => context.close());

  test('says what a success is, whose token is filled in, and what the operation does', async () => {
    const text = await page.locator('#try').innerText();
    expect(text).toMatch(/^Only a 200 with a Plant is a success\./);
    expect(text).toContain('The token of the client npm start is filled in');
    expect(text).toMatch(/POST\s+\/plants\s+Create a plant/);
    expect(docs.errors).toEqual([]);
  });

  test('creates a plant with one click, and shows the response without scrolling', async () => {
    const execute = page.getByRole('button', { name: 'Execute' });
    for (const part of [page.locator('select'), page.locator('textarea'), execute])
      await expect(isInView(part)).resolves.toBe(true);
    await expect(send(page)).resolves.toEqual({ status: '200', body: { name: 'Ficus', tag: 'indoor' } });
    await expect(isInView(page.locator('.received'))).resolves.toBe(true);
    expect(docs.errors).toEqual([]);
  });

  test('sends the digits of an id as typed, and shows them in the table', async () => {
    const body = '{"id": 9223372036854775807, "name": "Oak"}';
    const sent = page.waitForRequest(`${service.url}/plants`);
    await expect(send(page, body)).resolves.toMatchObject({ status: '200' });
    expect((await sent).postData()).toBe(body);
    await page.getByRole('link', { name: 'Tables' }).click();
    await expect(page.locator('[data-table^=Plants] td').first().innerText()).resolves.toBe(
      '9223372036854775807',
    );
  });

  test('offers examples that are named by what they show, and creates their plants', async () => {
    const choice = page.locator('select');
    const names = await choice.locator('option').allInnerTexts();
    expect(names).toEqual(['A plant with a tag', 'A plant without a tag', 'An id above 2^53']);
    for (const label of names) {
      const received = page.waitForResponse(`${service.url}/plants`);
      await choice.selectOption({ label });
      await send(page);
      expect([label, (await received).status()]).toEqual([label, 200]);
    }
  });

  test.each([
    ['{"id": 1.5}', 1002, 'A client fixes the fields that the message names.'],
    ['', 1001, 'A client sends valid JSON.'],
  ])('shows the Error body for %j, and what a client does', async (body, error, advice) => {
    await expect(send(page, body)).resolves.toMatchObject({ status: '400', body: { error } });
    await expect(page.locator('.advice').innerText()).resolves.toBe(advice);
    // The browser itself logs every such response as an error.
    expect(docs.errors).toEqual([expect.stringContaining('the server responded with a status of 400')]);
  });

  test('shows a request when it comes, without its token, and sends it again with one click', async () => {
    await page.getByRole('link', { name: 'Requests' }).click();
    const headers = { Authorization: `Bearer ${service.token}`, 'Content-Type': 'application/json' };
    await fetch(`${service.url}/plants?from=${device}`, { method: 'POST', headers, body: '{"id":8}' });
    const rows = page.locator('#requests li').filter({ hasText: device });
    await expect(rows.innerText()).resolves.toMatch(
      /POST \/plants\?from=\w+\s+400 1002\s+npm start\s+\d+ ms/,
    );
    await rows.locator('summary').first().click();
    for (const folded of await rows.getByText('Headers').all()) await folded.click();
    await expect(rows.innerText()).resolves.toMatch(/authorization: \(not shown\).*name is required/is);
    await page.getByRole('button', { name: 'Send again' }).first().click();
    await rows.nth(1).waitFor();
    await expect(rows.first().innerText()).resolves.toContain('400 1002');
    expect(await page.content()).not.toContain(service.token);
  });

  test('waits until the service responds again, and then fills in its token', async () => {
    await page.getByRole('link', { name: 'Requests' }).click();
    await page.route('**/docs/requests?*', (route) => route.abort());
    // Ends the poll in progress.
    await fetch(`${service.url}/unknown`);
    await page.getByText('npm start does not respond').waitFor();
    const token = page.waitForResponse('**/docs/access-token');
    await page.unroute('**/docs/requests?*');
    await token;
    await page.locator('#connection:empty').waitFor({ state: 'attached' });
  });

  test('lays a GET with a path parameter out as the first operation', async () => {
    await page.route('**/docs/openapi.json', async (route) => {
      const openapi = await (await route.fetch()).json();
      const schema = { type: 'integer' };
      const get = { summary: 'Get a plant', responses: openapi.paths['/plants'].post.responses };
      const parameters = [{ name: 'id', in: 'path', description: 'The id.', schema }];
      openapi.paths['/plants/{id}'] = { get: { ...get, parameters } };
      await route.fulfill({ json: openapi });
    });
    await page.reload();
    const [first, second] = [page.locator('.operation').first(), page.locator('.operation').nth(1)];
    await second.locator('summary').first().click();
    await second.locator('input').fill('a/7');
    const received = page.waitForResponse(`${service.url}/plants/a%2F7`);
    await second.getByRole('button', { name: 'Execute' }).click();
    expect((await received).status()).toBe(404);
    await second.locator('.received .pill').waitFor();
    const left = async (part: Locator) => (await part.boundingBox())?.x;
    for (const part of ['form', '.execute', '.received + h2'])
      expect([part, await left(second.locator(part))]).toEqual([part, await left(first.locator(part))]);
    await expect(faults(page)).resolves.toEqual([]);
  });

  test.each(['dark', 'light'] as const)(
    'is accessible, and no wider than the screen, in %s',
    async (scheme) => {
      await page.emulateMedia({ colorScheme: scheme });
      const look = async (view: string) => {
        await page.screenshot({ path: join(SCREENSHOTS, `${device}-${scheme}-${view}.png`) });
        const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
        expect([view, overflow, await faults(page)]).toEqual([view, 0, []]);
      };
      await look('first');
      await send(page);
      await look('created');
      await send(page, '{"id": 1.5}');
      await page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true; })");
      await look('rejected');
      await page.getByRole('link', { name: 'Requests' }).click();
      await page.locator('#requests li summary').first().click();
      await look('requests');
      await page.getByRole('link', { name: 'Tables' }).click();
      await page.locator('[data-table^=Tokens] td').first().waitFor();
      await look('tables');
      const background = await page.evaluate('getComputedStyle(document.documentElement).backgroundColor');
      expect(background).toBe(scheme === 'dark' ? 'rgb(18, 23, 21)' : 'rgb(246, 248, 247)');
    },
  );

  test('sends requests to this machine only', async () => {
    await send(page);
    const origins = new Set(docs.requested.map((url) => new URL(url).origin));
    expect([...origins]).toEqual([service.url]);
  });
});

test('the tables show a page of items, and more when asked', async () => {
  const headers = { Authorization: `Bearer ${service.token}`, 'Content-Type': 'application/json' };
  for (let id = 1_000; id < 1_110; id++) {
    const body = JSON.stringify({ id, name: 'Fern' });
    await fetch(`${service.url}/plants`, { method: 'POST', headers, body });
  }
  const context = await browser.newContext();
  const { page } = await visit(context, `${service.url}/docs#tables`);
  const rows = page.locator('[data-table^=Plants] tbody tr');
  await rows.first().waitFor();
  const first = await rows.count();
  await page.getByRole('button', { name: 'More' }).click();
  await rows.nth(first).waitFor();
  await expect(rows.first().innerText()).resolves.toMatch(/^1109\tFern/);
  expect(await page.locator('[data-table^=Tokens]').innerText()).not.toMatch(/hash|[0-9a-f]{64}/);
  await context.close();
});

test.each(PICTURES)('the picture %s of the README looks like the service', async (name) => {
  const pictures = ['../../../../docs/pictures', '../../../../reports/pictures'].map((folder) =>
    readFileSync(join(import.meta.dirname, folder, name), 'base64'),
  );
  const page = await browser.newPage();
  // Small enough that fonts do not matter.
  const difference = await page.evaluate(`(async () => {
    const [one, other] = await Promise.all(${JSON.stringify(pictures)}.map(async (picture) => {
      const image = await createImageBitmap(await (await fetch('data:image/png;base64,' + picture)).blob());
      const canvas = new OffscreenCanvas(16, 12).getContext('2d');
      canvas.drawImage(image, 0, 0, 16, 12);
      return canvas.getImageData(0, 0, 16, 12).data;
    }));
    return one.reduce((sum, value, at) => sum + Math.abs(value - other[at]), 0) / one.length;
  })()`);
  await page.close();
  expect(difference).toBeLessThan(6);
});

/** Types the body, if there is one, clicks "Execute", and reads the response. */
async function send(page: Page, body?: string): Promise<{ status: string; body: unknown }> {
  if (body !== undefined) await page.locator('textarea').fill(body);
  const received = page.waitForResponse(`${service.url}/plants`);
  await page.getByRole('button', { name: 'Execute' }).click();
  await (await received).finished();
  const status = await page.locator('.received .pill').innerText();
  return { status, body: JSON.parse(await page.locator('.received pre').first().innerText()) };
}

/** What axe finds that keeps people from using the page. */
async function faults(page: Page): Promise<readonly (readonly string[])[]> {
  await page.evaluate(AXE);
  return page.evaluate(
    "axe.run().then(({ violations }) => violations.filter(({ impact }) => ['serious', 'critical'].includes(impact)).map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)]))",
  );
}

/** Whether all of the first such element is in view. */
async function isInView(elements: Locator): Promise<boolean> {
  const box = await elements.first().boundingBox();
  const viewport = elements.page().viewportSize();
  if (box === null || viewport === null) return false;
  const { x, y, width, height } = box;
  return x >= 0 && y >= 0 && x + width <= viewport.width && y + height <= viewport.height;
}
