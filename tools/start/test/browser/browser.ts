import { existsSync } from 'node:fs';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';

const EXECUTABLE = process.env.CHROMIUM ?? '/usr/bin/chromium';

/** An open page with its errors and requests. */
export interface Visit {
  readonly page: Page;
  /** Console errors and uncaught exceptions. */
  readonly errors: readonly string[];
  /** The URL of every request except `data:` URLs. */
  readonly requested: readonly string[];
}

/** @throws Error if there is no Chromium */
export async function launchBrowser(): Promise<Browser> {
  if (!existsSync(EXECUTABLE)) {
    throw new Error(
      `There is no ${EXECUTABLE}: install Debian's chromium, or set CHROMIUM to the path of yours.`,
    );
  }
  return chromium.launch({
    executablePath: EXECUTABLE,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}

export async function visit(context: BrowserContext, url: string): Promise<Visit> {
  const page = await context.newPage();
  const errors: string[] = [];
  const requested: string[] = [];
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
  page.on('pageerror', (error) => errors.push(String(error)));
  page.on('request', (request) => !request.url().startsWith('data:') && requested.push(request.url()));
  await page.goto(url, { waitUntil: 'load' });
  return { page, errors, requested };
}
