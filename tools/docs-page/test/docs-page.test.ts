import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startTestEmulator, type TestEmulator } from 'stack-emulator/test/fixtures/emulator.ts';
import { type Sent, send } from 'stack-emulator/test/fixtures/http.ts';
import { arnOf, method, restApi } from 'stack-emulator/test/fixtures/resources.ts';
import { introduction } from '../../start/introduction.ts';
import { docsPage } from '../docs-page.ts';

const fallback = docsPage(Promise.resolve('the-token'));
const api = "exports.handler = async () => ({ statusCode: 200, body: 'the API' });";

let emulator: TestEmulator;
beforeAll(async () => {
  const resources = { ...restApi(), ...method('docs/page.js', 'GET', arnOf('Echo')) };
  emulator = await startTestEmulator({ functions: { Echo: api }, resources }, { fallback });
});
afterAll(() => emulator.stop());

const site = (name: string) => ({ headers: { 'Sec-Fetch-Site': name } });
const host = (name: string) => ({ headers: { Host: name } });

test.each<[path: string, sent: Sent, status: number]>([
  ['/docs', {}, 200],
  ['/docs/', { method: 'HEAD' }, 200],
  ['/', {}, 302],
  ['/docs', { method: 'POST' }, 403],
  // Other websites may link to the page, but must not load its files or the token.
  ['/docs', site('cross-site'), 200],
  ['/openapi.json', site('cross-site'), 403],
  ['/openapi.json', {}, 200],
  ['/openapi.json', site('none'), 200],
  ['/docs/token', site('same-site'), 403],
  ['/docs/token', site('same-origin'), 200],
  // A website can make its own name resolve to this machine.
  ['/docs/token', host('evil.example'), 403],
  ['/docs/token', host('[::1]:3000'), 200],
])(
  'serves the page only to this machine, and the token only to the page: %s, %j, %d',
  async (path, sent, status) => {
    const response = await send(emulator.url, path, sent);
    expect(response.status).toBe(status);
    if (status !== 200) return;
    // No website can show the page in a frame, and no browser stores the token.
    expect(response.headers).toMatchObject({
      'content-security-policy': expect.stringMatching(
        /^default-src 'none'; .*connect-src 'self'; .*frame-ancestors 'none'$/,
      ),
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
  },
);

test.each(['192.168.0.7', '2001:db8::1'])(
  'the docs page ignores a request from %s',
  async (sourceIp) => {
    const request = { method: 'GET', path: '/docs', header: () => 'localhost', sourceIp };
    expect(await fallback(request)).toBeUndefined();
  },
);

test('the docs page loads files only from this machine, and an operation takes precedence over them', async () => {
  const { text } = await send(emulator.url, '/docs');
  const files = [...text.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, file = '']) => file);
  expect(files.sort()).toEqual(['/docs/page.js', '/docs/swagger-ui.css', '/docs/swagger-ui.js']);
  for (const file of files) expect((await send(emulator.url, file)).status).toBe(200);
  expect((await send(emulator.url, '/docs/page.js')).text).toBe('the API');
});

test.each([
  ['http://localhost:3000', true],
  ['http://172.17.0.1:3000', false],
  ['http://[::]:3000', false],
])('npm start names the page only if it is served there: at %s, %s', (url, isServed) => {
  const service = { url, dynamodbEndpoint: url, leftOut: new Map<string, string>() };
  expect(introduction(service, undefined, 0).includes('/docs\n')).toBe(isServed);
});
