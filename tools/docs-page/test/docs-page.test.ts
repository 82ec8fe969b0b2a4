import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startTestEmulator, type TestEmulator } from '../../emulator/test/fixtures/emulator.ts';
import { type Sent, send } from '../../emulator/test/fixtures/http.ts';
import { arnOf, method, restApi, table } from '../../emulator/test/fixtures/resources.ts';
import { localDynamoDB } from '../../tokens/connect.ts';
import { mintAccessToken } from '../../tokens/tokens.ts';
import { createDocsPage } from '../docs-page.ts';
import type { Exchange } from '../request-history.ts';

const openapi = join(import.meta.dirname, '../../../openapi.json');
const log = { received: () => {}, line: () => {}, responded: () => {} };
const { options, connect } = createDocsPage(log, openapi);
const echo = "exports.handler = async () => (console.log('working'), { statusCode: 200, body: 'the API' });";
const TOKEN = { text: 'the-token', client: 'me' };
const { id: tokenId, text: accessToken } = mintAccessToken();

let emulator: TestEmulator;
beforeAll(async () => {
  const resources = {
    ...restApi(),
    ...method('plants', 'POST', arnOf('Echo')),
    ...method('docs/elements.js', 'GET', arnOf('Echo')),
    Stored: table('id', 'N'),
  };
  emulator = await startTestEmulator({ functions: { Echo: echo }, resources }, options);
  connect({ dynamodb: localDynamoDB(emulator.dynamodbEndpoint), token: TOKEN });
});
afterAll(() => emulator.stop());

const get = async (path: string, sent: Sent = {}) => send(emulator.url, path, sent);
const read = async (path: string) => JSON.parse((await get(path)).text);
const post = (body: string | Buffer, headers = {}, query = '') =>
  get(`/plants${query}`, { method: 'POST', headers, body });
const requests = (after: number): Promise<readonly Exchange[]> => read(`/docs/requests?after=${after}`);
const site = (name: string) => ({ headers: { 'Sec-Fetch-Site': name } });
const host = (name: string) => ({ headers: { Host: name } });

test.each<[path: string, sent: Sent, status: number]>([
  ['/docs', {}, 200],
  ['/docs/', { method: 'HEAD' }, 200],
  ['/', {}, 302],
  ['/', { method: 'POST' }, 403],
  ['/docs', { method: 'POST' }, 403],
  ['/docs/../package.json', {}, 403],
  ['/docs/docs-page.ts', {}, 403],
  // Other websites may link to the page, but must not load its files or data.
  ['/docs', site('cross-site'), 200],
  ...['/docs/page.js', '/docs/token', '/docs/requests', '/docs/tables'].flatMap(
    (path): [string, Sent, number][] => [
      [path, site('cross-site'), 403],
      [path, site('same-site'), 403],
      [path, site('same-origin'), 200],
      [path, site('none'), 200],
      [path, {}, 200],
    ],
  ),
  // A website can make its own name resolve to this machine.
  ['/docs/token', host('evil.example'), 403],
  ['/docs/token', host('localhost.evil.example'), 403],
  ['/docs/token', host('127.0.0.1.evil.example'), 403],
  ['/docs/token', host('[::1]:3000'), 200],
])('a request for %s with the options %j gets a response with status %d', async (path, sent, status) => {
  const response = await get(path, sent);
  expect(response.status).toBe(status);
  if (status === 200) {
    expect(response.headers['content-security-policy']).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    );
    expect(response.headers['x-frame-options']).toBe('DENY');
    expect(response.headers['cross-origin-resource-policy']).toBe('same-origin');
  }
});

test.each(['192.168.0.7', '::', '2001:db8::1'])(
  'the docs page ignores a request from %s',
  async (sourceIp) => {
    const [query, body, header] = [new URLSearchParams(), Buffer.alloc(0), () => 'localhost'];
    const from = { requestId: '', traceId: '', timeEpoch: 0, headers: [], header, sourceIp };
    for (const path of ['/', '/docs'])
      expect(await options.fallback?.({ ...from, method: 'GET', path, query, body })).toBeUndefined();
  },
);

test('the docs page loads files only from this machine', async () => {
  const { text } = await get('/docs');
  const files = [...text.matchAll(/(?:src|href)="([^"#]+)"/g)].map(([, file = '']) => file);
  expect(files.filter((file) => !/^(\/docs\/|data:)/.test(file))).toEqual([]);
  for (const file of files.filter((file) => file.startsWith('/'))) expect((await get(file)).status).toBe(200);
});

test('a route of the API takes precedence over the docs page', async () => {
  expect((await get('/docs/elements.js')).text).toBe('the API');
});

test('the docs page can load the OpenAPI document, the tables of the template, and a token with its client', async () => {
  expect((await get('/docs/openapi.json')).text).toBe(readFileSync(openapi, 'utf8'));
  await expect(read('/docs/tables')).resolves.toEqual(['Stored']);
  await expect(read('/docs/table?name=Stored&start=')).resolves.toEqual({ items: [] });
  await expect(read('/docs/token')).resolves.toEqual(TOKEN);
});

test('/docs/requests returns requests with their log lines and up to 10 KB of each body, but without tokens', async () => {
  const headers = { Authorization: `Bearer ${accessToken}`, 'X-Api-Key': 'secret', 'X-Other': accessToken };
  await post(JSON.stringify({ token: accessToken }), headers, `?token=${accessToken}`);
  for (const body of [`${'x'.repeat(10_200)}${accessToken}`, Buffer.from([0xff]), '{"id":1}'])
    await post(body);
  const [first, ...others] = (await requests(0)).slice(-4);
  expect(first).toMatchObject({
    method: 'POST',
    target: '/plants?token=(not shown)',
    status: 200,
    request: { body: '{"token":"(not shown)"}', complete: false },
    response: { body: 'the API', complete: true },
    log: expect.stringContaining('working'),
  });
  expect(JSON.stringify([first, others])).not.toMatch(new RegExp(`${tokenId}|secret`));
  expect(first?.request.headers).toContainEqual(['Authorization', '(not shown)']);
  expect(others.map(({ request }) => [request.body.length, request.complete])).toEqual([
    [10_211, false],
    [1, false],
    [8, true],
  ]);
  await expect(requests(first?.number ?? 0)).resolves.toEqual(others);
});

test('/docs/requests returns the last 100 requests, not counting those for the docs page', async () => {
  for (let count = 0; count < 101; count++) await post(String(count));
  await get('/docs');
  const kept = await requests(0);
  expect([kept.length, kept[0]?.request.body, kept.at(-1)?.request.body]).toEqual([100, '1', '100']);
});
