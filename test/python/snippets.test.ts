import { createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { codeBlocks, documents } from '../support/code-blocks.ts';
import { testFailures } from '../support/failing-snippet.ts';
import { type LoopbackServer, listenOnLoopback } from '../support/loopback.ts';
import { resultOf, runSnippet } from '../support/run-snippet.ts';
import { type StartedService, startFromCommandLine } from '../support/started-service.ts';
import { startUnreliableFront } from '../support/unreliable-front.ts';

const snippets = documents.flatMap(codeBlocks).filter(({ language }) => language === 'python');

let service: StartedService;
let front: LoopbackServer;
beforeAll(async () => {
  service = await startFromCommandLine();
  front = await startUnreliableFront(service.url);
});
afterAll(async () => {
  await front.stop();
  await service.stop();
});

describe.each(snippets)('$at', (snippet) => {
  test('prints the documented output', async () => {
    const printed = await runSnippet(snippet, { BASE_URL: service.url, ACCESS_TOKEN: service.token });
    expect(printed).toBe(snippet.output?.trim());
  });

  test('prints the same when a connection is reset, a response cut off and a third is 1500', async () => {
    const printed = await runSnippet(snippet, { BASE_URL: front.url, ACCESS_TOKEN: service.token });
    expect(printed).toBe(snippet.output?.trim());
  });

  test('limits the whole request when each byte arrives in time and the last never does', async () => {
    const server = createServer((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nX: ');
      const timer = setInterval(() => socket.write('x'), 100);
      socket.on('error', () => {}).on('close', () => clearInterval(timer));
    });
    const { url, stop } = await listenOnLoopback(server);
    const impatient = { ...snippet, code: snippet.code.replaceAll('timeout=30', 'timeout=1') };
    const { exitCode, stderr } = await resultOf(impatient, {
      BASE_URL: url,
      ACCESS_TOKEN: service.token,
    });
    await stop();
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('NotCreated: 0 no complete response in')]);
  });

  testFailures(snippet);
});
