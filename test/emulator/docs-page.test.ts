import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createDocsPage, type DocsPageOptions } from '../../emulator/docs-page/docs-page.ts';
import { synthesizedAssembly } from '../support/synthesized-assembly.ts';
import { startTestEmulator, type TestEmulator } from './fixtures/emulator.ts';
import { send } from './fixtures/http.ts';
import { arnOf, method, restApi } from './fixtures/resources.ts';

const openapi = join(import.meta.dirname, '../../openapi.json');
const docsPage: DocsPageOptions = { openapi, accessToken: Promise.resolve('the-token') };
const echo = "exports.handler = async () => ({ statusCode: 200, body: 'the API' });";

describe('beside an API', () => {
  let stage: TestEmulator;
  beforeAll(async () => {
    const resources = { ...restApi(), ...method('plants', 'POST', arnOf('Echo')) };
    stage = await startTestEmulator({ functions: { Echo: echo }, resources }, { docsPage });
  });
  afterAll(() => stage.stop());

  test.each(['/docs', '/docs/'])('GET %s gives a page', async (path) => {
    const { status, headers, text } = await send(stage.url, path);
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(text).toContain('<title>Plant Store</title>');
  });

  test('the page and what it loads name no other machine, and the browser may ask none', async () => {
    const { headers, text } = await send(stage.url, '/docs');
    const files = [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, file]) => file ?? '');
    const answers = await Promise.all(files.map((file) => send(stage.url, file)));

    expect(files.filter((file) => !file.startsWith('/docs/'))).toEqual([]);
    expect(answers.map(({ status }) => status)).toEqual(files.map(() => 200));
    expect(headers['content-security-policy']).toMatch(/default-src 'none'.*connect-src 'self'$/);
  });

  test('the page gets the interface and a token', async () => {
    const shown = await send(stage.url, '/docs/openapi.json');
    const { text } = await send(stage.url, '/docs/access-token');
    expect(shown.text).toBe(readFileSync(openapi, 'utf8'));
    expect(JSON.parse(text)).toEqual({ accessToken: 'the-token' });
  });

  test.each([
    ['POST', '/docs'],
    ['GET', '/docs/../package.json'],
    ['GET', '/docs/docs-page.ts'],
    ['GET', '/doc'],
  ])('%s %s is no part of it', async (method, path) => {
    await expect(send(stage.url, path, { method })).resolves.toMatchObject({ status: 403 });
  });

  test.each(['evil.example', 'localhost.evil.example', '127.0.0.1.evil.example'])(
    'a site whose name (%p) resolves to this machine gets nothing',
    async (host) => {
      const answer = await send(stage.url, '/docs/access-token', { headers: { Host: host } });
      expect(answer.status).toBe(403);
    },
  );
});

test('a route of the API wins', async () => {
  const resources = { ...restApi(), ...method('docs', 'GET', arnOf('Echo')) };
  const stage = await startTestEmulator({ functions: { Echo: echo }, resources }, { docsPage });
  const { text } = await send(stage.url, '/docs');
  await stage.stop();

  expect(text).toBe('the API');
});

test.each(['192.168.0.7', '10.0.0.1', '::', '2001:db8::1'])(
  'another machine (%s) gets nothing',
  async (sourceIp) => {
    const request = { path: '/docs', method: 'GET', sourceIp, header: () => 'localhost:3000' };
    await expect(createDocsPage(docsPage)(request)).resolves.toBeUndefined();
  },
);

test('a stage that is not asked to show it does not, and nothing of it is deployed', async () => {
  const template = readFileSync(join(synthesizedAssembly(), 'PlantStore-dev.template.json'), 'utf8');
  const stage = await startTestEmulator({
    functions: { Echo: echo },
    resources: { ...restApi(), ...method('plants', 'POST', arnOf('Echo')) },
  });
  const { status } = await send(stage.url, '/docs');
  await stage.stop();

  expect(status).toBe(403);
  expect(template).not.toMatch(/"PathPart": "docs"|swagger/i);
});
