import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { subjects } from '../../conformance/rows/index.ts';
import { type Result, runRows } from '../../conformance/run.ts';
import { type Service, startService } from '../support/service.ts';
import { type Alter, startAlteringProxy } from './altering-proxy.ts';

jest.setTimeout(120_000);

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const allRows = subjects.flatMap((subject) => subject.rows);
const TOO_LARGE = 'body above 10 MB with a token';
/** Without most of the large bodies, which take seconds. */
const rows = allRows.filter(
  ({ name, request }) => name === TOO_LARGE || (request.body ?? '').length < 100_000,
);

test('the rows of the comparison have distinct names', () => {
  const names = allRows.map(({ name }) => name);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

describe('the comparison reports exactly the rows that differ when a server', () => {
  // Replacements have the same length, because the responses have a Content-Length.
  test.each<[string, RegExp, string, RegExp]>([
    ['changes an error code', /"error":1004/, '"error":1002', /^taken id,|^id with (a zero|an exp)/],
    [
      'omits the challenge',
      /www-authenticate/i,
      'www-authenticated',
      /^(no|empty|unknown) token$|^token (of|without|with)/,
    ],
    ['changes a status', /HTTP\/1.1 404/, 'HTTP/1.1 403', /^[A-Z]+ .* without a token$/],
    ['changes a name', /e\u00cc\u0081/, 'e e', /^name outside ASCII$/],
    ['adds a field', /"tag":""/, '"id":"1"', /^empty name and tag$/],
    [
      'sends an Error body as the front end',
      /HTTP content length exceeded 10485760 bytes\./,
      '{"error":2413,"message":"the body is large"}',
      new RegExp(TOO_LARGE),
    ],
  ])('%s', async (_what, pattern, replacement, differing) => {
    const results = await compare((bytes) => bytes.replace(pattern, replacement));
    expect(namesOf(results, 'differs')).toEqual(settledNames().filter((name) => differing.test(name)));
    expect(namesOf(results, 'differs')).not.toEqual([]);
  });

  test('closes the connection without a response', async () => {
    const results = await compare(() => '');
    const responded = results.filter(({ received }) => received !== 'no response');
    expect(responded.map(({ verdict }) => verdict)).toEqual(responded.map(() => 'needs a deployment'));
    expect(namesOf(results, 'same')).toEqual([]);
  });
});

test('the comparison reports an open question as unforeseen when its response is none of the outcomes', async () => {
  const results = await compare((bytes) => bytes.replace('HTTP/1.1 404', 'HTTP/1.1 418'));
  expect(namesOf(results, 'unforeseen')).toContain('GET /plants with a token');
});

test('the comparison never reports the token, even if a response repeats it', async () => {
  const results = await compare((bytes) => bytes.replace(/\{.*/s, service.token));
  expect(JSON.stringify(results)).not.toContain(service.token);
  expect(JSON.stringify(results)).toContain('<token>');
});

async function compare(alter: Alter): Promise<readonly Result[]> {
  const proxy = await startAlteringProxy(service.emulator.url, alter);
  try {
    return await runRows({
      baseUrl: new URL(proxy.url),
      token: service.token,
      rows,
      timeoutMs: 35_000,
      signal: new AbortController().signal,
      onProgress: () => {},
    });
  } finally {
    await proxy.stop();
  }
}

function namesOf(results: readonly Result[], verdict: Result['verdict']): string[] {
  return results.filter((result) => result.verdict === verdict).map(({ name }) => name);
}

function settledNames(): string[] {
  return rows.filter((row) => 'expected' in row && !row.needsStage).map(({ name }) => name);
}
