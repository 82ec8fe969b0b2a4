import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type Browser, chromium, type Page } from 'playwright-core';
import {
  type StartedService,
  startFromCommandLine,
} from '../../../../test/support/project/started-service.ts';

let service: StartedService;
let browser: Browser;
beforeAll(async () => {
  browser = await launchChromium();
  service = await startFromCommandLine();
});
afterAll(async () => {
  await browser.close();
  await service.stop();
});

/** The errors that pages printed, including violations of the Content-Security-Policy. */
let errors: string[];
beforeEach(() => {
  errors = [];
});

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
  test.each([
    { width: 1280, height: 900 },
    { width: 390, height: 844 },
  ])(
    'creates a plant with one click, and scrolls to the response, in a window of %j',
    async (viewport) => {
      const page = await open({ viewport });
      const { status, sent, shown } = await execute(page);
      expect([status, shown]).toEqual([200, '{"name":"Ficus","tag":"indoor"}']);
      expect(sent).toContain('"name": "Ficus"');
      await page.waitForFunction(
        'document.querySelector(".live-responses-table").getBoundingClientRect().bottom <= innerHeight',
      );
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(viewport.width);
      expect(errors).toEqual([]);
    },
  );

  test('shows Execute without scrolling on a laptop, and lists the error codes of a response in order', async () => {
    const page = await open({ viewport: { width: 1280, height: 900 } });
    const button = await page.getByRole('button', { name: 'Execute' }).boundingBox();
    expect(Number(button?.y) + Number(button?.height)).toBeLessThan(900);
    const listed = page.locator('li', { hasText: /^\d{4}: / });
    const codes = (await listed.allInnerTexts()).map((text) => text.slice(0, 4));
    expect(codes.slice(0, 5)).toEqual(['1000', '1001', '1002', '1003', '1004']);
  });

  test('sends a body exactly as typed, links to openapi.json and the examples, and offers no other server', async () => {
    const page = await open({});
    const body = '{"id": 9223372036854775807,  "name": "Oak"}';
    await page.locator('textarea').first().fill(body);
    expect(await execute(page)).toEqual({ status: 200, sent: body, shown: '{"name":"Oak"}' });
    for (const name of ['/openapi.json', 'docs/api.md']) {
      const link = await page.getByRole('link', { name }).getAttribute('href');
      expect((await page.request.get(`${service.url}${link}`)).status()).toBe(200);
    }
    expect(await page.locator('.servers').count()).toBe(0);
    expect(errors).toEqual([]);
  });

  test('shows a response exactly as it came, and is dark on a dark desktop', async () => {
    const operation = { responses: { 200: { description: 'All plants.' } } };
    const page = await open(
      { colorScheme: 'dark' },
      {
        openapi: '3.1.1',
        info: { title: 'Changed', version: '1' },
        paths: { '/plants': { get: operation } },
      },
    );
    expect(await page.locator('.dark-mode').count()).toBe(1);
    const body = '[{"id":9223372036854775807, "size":1.0}]';
    await page.route('**/plants', (route) =>
      route.fulfill({ contentType: 'application/json', body }),
    );
    expect(await execute(page)).toMatchObject({ status: 200, shown: body });
    expect(errors).toEqual([]);
  });
});

function launchChromium(): Promise<Browser> {
  const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';
  return chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-background-networking'],
  });
}
