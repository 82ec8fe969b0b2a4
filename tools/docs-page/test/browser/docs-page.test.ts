import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { launchChromium } from '../../../../test/support/pictures.ts';
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

test('the docs page creates a plant with one click, and sends a body exactly as typed', async () => {
  const page = await browser.newPage();
  const errors: string[] = [];
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
  page.on('pageerror', (error) => errors.push(String(error)));
  await page.goto(`${service.url}/docs`);
  await page.getByText('/plants', { exact: true }).first().click();
  const execute = async () => {
    const [response] = await Promise.all([
      page.waitForResponse(`${service.url}/plants`),
      page.getByRole('button', { name: 'Execute' }).click(),
    ]);
    return [response.status(), response.request().postData()];
  };
  expect(await execute()).toEqual([200, expect.stringContaining('"name": "Ficus"')]);
  const body = '{"id": 9223372036854775807, "name": "Oak"}';
  await page.locator('textarea').first().fill(body);
  expect(await execute()).toEqual([200, body]);
  expect(errors).toEqual([]);
});
