import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { templateFile } from '../../../lib/names.ts';
import { synthesizedAssembly } from '../../../test/support/synthesized-assembly.ts';
import { startTestEmulator, type TestEmulator } from '../../emulator/test/fixtures/emulator.ts';
import { send } from '../../emulator/test/fixtures/http.ts';
import { arnOf, method, restApi } from '../../emulator/test/fixtures/resources.ts';
import { createDocsPage } from '../docs-page/docs-page.ts';

const openapi = join(import.meta.dirname, '../../../openapi.json');
const fallback = createDocsPage({ openapi, accessToken: Promise.resolve('the-token') });
const echo = "exports.handler = async () => ({ statusCode: 200, body: 'the API' });";

describe('the docs page', () => {
  let emulator: TestEmulator;
  beforeAll(async () => {
    const resources = { ...restApi(), ...method('plants', 'POST', arnOf('Echo')) };
    emulator = await startTestEmulator({ functions: { Echo: echo }, resources }, { fallback });
  });
  afterAll(() => emulator.stop());

  test.each(['/docs', '/docs/'])('is served at GET %s, and without its body at HEAD', async (path) => {
    const page = await send(emulator.url, path);
    const head = await send(emulator.url, path, { method: 'HEAD' });
    for (const { status, headers } of [page, head])
      expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect([page.text, head.text]).toEqual([expect.stringContaining('<title>Plant Store</title>'), '']);
  });

  test('is what GET / of the emulator redirects to', async () => {
    const { status, headers } = await send(emulator.url, '/');
    expect([status, headers.location]).toEqual([302, '/docs']);
  });

  test('loads everything from this machine, and lets the browser connect to no other', async () => {
    const { headers, text } = await send(emulator.url, '/docs');
    const files = [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, file]) => file ?? '');
    const responses = await Promise.all(files.map((file) => send(emulator.url, file)));

    expect(files.filter((file) => !file.startsWith('/docs/'))).toEqual([]);
    expect(responses.map(({ status }) => status)).toEqual(files.map(() => 200));
    expect(headers['content-security-policy']).toMatch(/default-src 'none'.*connect-src 'self';/);
  });

  test.each(['/docs', '/docs/', '/docs/page.js'])(
    'cannot be framed or redirected by a website (%s)',
    async (path) => {
      const { headers } = await send(emulator.url, path);
      for (const directive of ['frame-ancestors', 'base-uri', 'form-action'])
        expect(headers['content-security-policy']).toContain(`; ${directive} 'none'`);
      expect(headers['x-frame-options']).toBe('DENY');
    },
  );

  test('gets the OpenAPI document and a token', async () => {
    const shown = await send(emulator.url, '/docs/openapi.json');
    const { text } = await send(emulator.url, '/docs/access-token');
    expect(shown.text).toBe(readFileSync(openapi, 'utf8'));
    expect(JSON.parse(text)).toEqual({ accessToken: 'the-token' });
  });

  test.each([
    ['POST', '/docs'],
    ['POST', '/'],
    ['GET', '/docs/../package.json'],
    ['GET', '/docs/docs-page.ts'],
    ['GET', '/doc'],
  ])('does not serve %s %s', async (method, path) => {
    await expect(send(emulator.url, path, { method })).resolves.toMatchObject({ status: 403 });
  });

  test.each(['evil.example', 'localhost.evil.example', '127.0.0.1.evil.example'])(
    'is not served to a website whose name (%s) resolves to this machine',
    async (host) => {
      const response = await send(emulator.url, '/docs/access-token', { headers: { Host: host } });
      expect(response.status).toBe(403);
    },
  );
});

test('a route of the API at /docs takes precedence over the docs page', async () => {
  const resources = { ...restApi(), ...method('docs', 'GET', arnOf('Echo')) };
  const emulator = await startTestEmulator({ functions: { Echo: echo }, resources }, { fallback });
  const { text } = await send(emulator.url, '/docs');
  await emulator.stop();

  expect(text).toBe('the API');
});

test.each(['192.168.0.7', '10.0.0.1', '::', '2001:db8::1'])(
  'neither the docs page nor the redirect to it is served to another machine (%s)',
  async (sourceIp) => {
    for (const path of ['/', '/docs']) {
      const request = { path, method: 'GET', sourceIp, header: () => 'localhost:3000' };
      await expect(fallback(request)).resolves.toBeUndefined();
    }
  },
);

test('the docs page is not part of the deployed stack', () => {
  const template = readFileSync(join(synthesizedAssembly(), templateFile('dev')), 'utf8');
  expect(template).not.toMatch(/"PathPart": "docs"|swagger/i);
});
