import type { Socket } from 'node:net';
import { describe, expect, test } from '@jest/globals';
import { CREATED } from '../../conformance/expectation.ts';
import { exchange } from '../../conformance/http-client.ts';
import type { Row } from '../../conformance/row.ts';
import { subjects } from '../../conformance/rows/index.ts';
import { type Result, runRows } from '../../conformance/run.ts';
import { mintAccessToken } from '../../lambda/shared/tokens/access-token.ts';
import { httpResponse, startLyingServer } from './lying-server.ts';

const VALID: Row = { name: 'valid plant', request: {}, expected: CREATED };
const created = httpResponse(200, '{"name":"Ficus","tag":"indoor"}');
const conflict = httpResponse(400, '{"error":1004,"message":"another plant has this id"}');
const invalid = httpResponse(400, '{"error":1002,"message":"id must be an int64"}');
const token = mintAccessToken().text;
const secret = token.slice(-64);
const jwt = `${'h'.repeat(36)}.${'p'.repeat(80)}.${Buffer.from(secret, 'hex').toString('base64url')}`;

describe('exchange returns nothing after its timeout', () => {
  const TIMEOUT_MS = 200;

  test('even if the server keeps sending', async () => {
    const server = await startLyingServer((client) => {
      client.write('HTTP/1.1 200 OK\r\nX: ');
      const timer = setInterval(() => client.write('x'), 10);
      client.on('close', () => clearInterval(timer));
    });
    const response = exchange(new URL(server.url), Buffer.from('x'), neverAborted(), TIMEOUT_MS);
    await expect(response).resolves.toBeUndefined();
    await server.stop();
  });

  test('even if the body that it has received is a valid one', async () => {
    const server = await startLyingServer((client) => client.write('HTTP/1.1 200 OK\r\n\r\n{}'));
    const response = exchange(new URL(server.url), Buffer.from('x'), neverAborted(), TIMEOUT_MS);
    await expect(response).resolves.toBeUndefined();
    await server.stop();
  });

  test('even if the TLS handshake never ends', async () => {
    const server = await startLyingServer(() => {});
    const secure = new URL(server.url.replace('http:', 'https:'));
    await expect(exchange(secure, Buffer.from('x'), neverAborted(), TIMEOUT_MS)).resolves.toBeUndefined();
    await server.stop();
  });
});

function neverAborted(): AbortSignal {
  return new AbortController().signal;
}

async function resultsOf(
  rows: readonly Row[],
  respond: (client: Socket, request: string) => void,
  accessToken = token,
): Promise<readonly Result[]> {
  const server = await startLyingServer(respond);
  try {
    const target = { baseUrl: new URL(server.url), token: accessToken };
    return await runRows({ ...target, rows, signal: neverAborted(), onProgress: () => {} });
  } finally {
    await server.stop();
  }
}
