import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BatchWriteItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { templateFile } from '../../../lib/names.ts';
import { synthesizedAssembly } from '../../../test/support/synthesized-assembly.ts';
import { startTestEmulator, type TestEmulator } from '../../emulator/test/fixtures/emulator.ts';
import { send } from '../../emulator/test/fixtures/http.ts';
import { arnOf, method, restApi, table } from '../../emulator/test/fixtures/resources.ts';
import { localDynamoDB } from '../../tokens/connect.ts';
import { createDocsPage, type PageService } from '../docs-page/docs-page.ts';
import { createRequestHistory, type Exchange } from '../docs-page/request-history.ts';
import type { TablePage } from '../docs-page/tables.ts';

const openapi = join(import.meta.dirname, '../../../openapi.json');
const history = createRequestHistory({ received: () => {}, line: () => {}, responded: () => {} });
const service = Promise.withResolvers<PageService>();
const fallback = createDocsPage({ openapi, history, service: service.promise });
/** All that the page loads, besides itself. */
const parts = ['/docs/page.js', '/docs/access-token', '/docs/requests', '/docs/tables'];
const echo = "exports.handler = async () => (console.log('working'), { statusCode: 200, body: 'the API' });";
const ACCESS_TOKEN = `plantstore_${'0'.repeat(16)}_${'0'.repeat(64)}`;

describe('the docs page', () => {
  let emulator: TestEmulator;
  beforeAll(async () => {
    const api = { ...restApi(), ...method('plants', 'POST', arnOf('Echo')) };
    emulator = await startTestEmulator(
      {
        functions: { Echo: echo },
        resources: { ...api, Stored: table('id', 'N'), Tokens: table('id', 'S') },
      },
      { fallback, observer: history, log: history.line },
    );
    const dynamodb = localDynamoDB(emulator.dynamodbEndpoint);
    service.resolve({ dynamodb, token: { text: 'the-token', client: 'me' } });
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
    const links = [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, file]) => file ?? '');
    const files = links.filter((file) => !/^(#|data:)/.test(file));
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

  test('gets the OpenAPI document, and a token with its client', async () => {
    const shown = await send(emulator.url, '/docs/openapi.json');
    const { text } = await send(emulator.url, '/docs/access-token');
    expect(shown.text).toBe(readFileSync(openapi, 'utf8'));
    expect(JSON.parse(text)).toEqual({ text: 'the-token', client: 'me' });
  });

  test.each(parts)('does not serve %s to a page of another origin', async (path) => {
    const statuses = ['cross-site', 'same-site', 'same-origin', 'none'].map(async (site) => {
      const { status, headers } = await send(emulator.url, path, { headers: { 'Sec-Fetch-Site': site } });
      return [site, status, headers['cross-origin-resource-policy']];
    });
    await expect(Promise.all(statuses)).resolves.toEqual([
      ['cross-site', 403, undefined],
      ['same-site', 403, undefined],
      ['same-origin', 200, 'same-origin'],
      ['none', 200, 'same-origin'],
    ]);
  });

  test('shows requests with their log lines, without tokens, and bodies up to 10 KB', async () => {
    const before = (await requests(0)).at(-1)?.number ?? 1;
    const next = requests(before);
    const body = JSON.stringify({ token: ACCESS_TOKEN });
    const headers = {
      Authorization: `Bearer ${ACCESS_TOKEN}`,
      'X-Api-Key': 'secret',
      'X-Other': ACCESS_TOKEN,
    };
    await send(emulator.url, `/plants?token=${ACCESS_TOKEN}`, { method: 'POST', headers, body });
    const [first] = await next;
    for (const other of ['x'.repeat(10_241), Buffer.from([0xff]), '{"id":1}'])
      await send(emulator.url, '/plants', { method: 'POST', body: other });
    const sent = await requests(first?.number ?? 1);

    expect(first).toMatchObject({
      method: 'POST',
      target: '/plants?token=(not shown)',
      status: 200,
      request: { body: '{"token":"(not shown)"}', complete: false },
      response: { body: 'the API', complete: true },
      log: expect.stringContaining('working'),
    });
    expect(JSON.stringify(first)).not.toMatch(/0{16}|secret/);
    expect(first?.request.headers).toEqual(expect.arrayContaining([['Authorization', '(not shown)']]));
    expect(sent.map(({ request }) => [request.body.length, request.complete])).toEqual([
      [10_240, false],
      ['(1 bytes that are not UTF-8)'.length, false],
      [8, true],
    ]);
  });

  test('keeps the last hundred requests, and none of its own', async () => {
    for (let count = 0; count < 101; count++)
      await send(emulator.url, '/plants', { method: 'POST', body: String(count) });
    await send(emulator.url, '/docs');
    const kept = await requests(0);
    expect([kept.length, kept[0]?.request.body, kept.at(-1)?.request.body]).toEqual([100, '1', '100']);
  });

  test('shows all tables, page by page, the item of the last request first, with exact numbers', async () => {
    const { dynamodb } = await service.promise;
    const ids = [...Array(60).keys(), '9223372036854775807'].map(String);
    for (let at = 0; at < ids.length; at += 25) {
      const puts = ids.slice(at, at + 25).map((id) => ({ PutRequest: { Item: { id: { N: id } } } }));
      await dynamodb.send(new BatchWriteItemCommand({ RequestItems: { Stored: puts } }));
    }
    for (const body of ['{"id":5}', '{"id":1e999}', '{"name":"none"}', '{"id": 9223372036854775807}'])
      await send(emulator.url, '/plants', { method: 'POST', body });
    const first = await tablePage('Stored');
    const second = await tablePage('Stored', first.next);

    await expect(read('/docs/tables')).resolves.toEqual(['Stored', 'Tokens']);
    const shown = first.items.slice(0, 2).map(({ attributes }) => attributes);
    expect(shown).toEqual([[['id', '9223372036854775807']], [['id', '5']]]);
    expect(new Set([...first.items, ...second.items].map(({ key }) => key)).size).toBe(61);
    expect([first.items.length < 53, second.next]).toEqual([true, undefined]);
  });

  test('shows a token without its hash', async () => {
    const { dynamodb } = await service.promise;
    const Item = {
      id: { S: 'a1' },
      hash: { S: 'the hash' },
      name: { S: 'ci' },
      issuedAt: { N: '1' },
      expiresAt: { N: '2' },
    };
    const { expiresAt, ...endless } = { ...Item, id: { S: 'b2' } };
    await dynamodb.send(new PutItemCommand({ TableName: 'Tokens', Item }));
    await dynamodb.send(new PutItemCommand({ TableName: 'Tokens', Item: endless }));
    await dynamodb.send(
      new PutItemCommand({ TableName: 'Tokens', Item: { id: { S: 'c3' }, hash: Item.hash } }),
    );
    const { items } = await tablePage('Tokens');
    expect(items.map(({ attributes }) => attributes.join(' ')).sort()).toEqual([
      'id,"a1" client,"ci" issued,"1970-01-01T00:00:01Z" expires,"1970-01-01T00:00:02Z"',
      'id,"b2" client,"ci" issued,"1970-01-01T00:00:01Z" expires,"never"',
      'id,"c3"',
    ]);
  });

  test('ends all waiting for requests when the service stops', async () => {
    const next = requests((await requests(0)).at(-1)?.number ?? 1);
    history.end();
    await expect(next).resolves.toEqual([]);
  });

  const read = async (path: string) => JSON.parse((await send(emulator.url, path)).text);
  const requests = (after: number): Promise<readonly Exchange[]> => read(`/docs/requests?after=${after}`);
  const tablePage = (name: string, start?: string): Promise<TablePage> =>
    read(`/docs/table?${new URLSearchParams({ name, ...(start !== undefined && { start }) })}`);

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
      const query = new URLSearchParams();
      const request = { path, query, method: 'GET', sourceIp, header: () => 'localhost:3000' };
      await expect(fallback(request)).resolves.toBeUndefined();
    }
  },
);

test('the docs page is not part of the deployed stack', () => {
  const template = readFileSync(join(synthesizedAssembly(), templateFile('dev')), 'utf8');
  expect(template).not.toMatch(/"PathPart": "docs"|page\.html/i);
});
