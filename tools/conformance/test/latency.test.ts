import { spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import { expect, jest, test } from '@jest/globals';
import { announceEmulator } from '@plant-store/emulator';
import { PROJECT } from '../../../test/support/code-blocks.ts';
import { startService } from '../../../test/support/service.ts';
import { outcomeOf } from '../../../test/support/token-command.ts';
import { tokenStore } from '../../tokens/token-store.ts';
import { httpResponse, sendEndlessly, startLyingServer } from './lying-server.ts';

jest.setTimeout(60_000);

// deploy-steps.test.ts measures a service that works.
const TOKEN = 'a-token-that-nobody-may-see';

function startLatency(args: readonly string[], env: Record<string, string>) {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  return spawn(process.execPath, ['bin/latency.ts', ...args], {
    cwd: PROJECT,
    env: { PATH, NODE_COMPILE_CACHE, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** Success, once a redirect is followed. */
const redirected = (client: Socket, request: string) =>
  client.end(
    request.startsWith('POST /plants ')
      ? 'HTTP/1.1 302 Found\r\nLocation: /elsewhere\r\nContent-Length: 0\r\nConnection: close\r\n\r\n'
      : httpResponse(200, '{"name":"latency"}'),
  );

test.each<[string, RegExp, (client: Socket, request: string) => void]>([
  [
    'repeats the token, and sends what GitHub takes for commands',
    /^latency: expected 200 and the plant, got 400; run npm run conformance\n$/,
    (client, request) => client.end(httpResponse(400, `\n::error::x\r::add-mask::x\n${request}`)),
  ],
  ['redirects', /^latency: expected 200 and the plant, got 302; run npm run conformance\n$/, redirected],
  ['returns another plant', /, got 200; /, (client) => client.end(httpResponse(200, '{"name":"Oak"}'))],
  ['closes the connection', /^latency: no response\n$/, (client) => client.destroy()],
  [
    'never stops sending',
    /, got 200; /,
    (client) => sendEndlessly(client, 'HTTP/1.1 200 OK\r\n\r\n', '\n::x'),
  ],
])(
  'latency fails in one line of its own, having read at most 16 MB, if the server %s',
  async (_what, line, respond) => {
    let sent = 0;
    const server = await startLyingServer((client, request) => {
      client.on('close', () => {
        sent = client.bytesWritten;
      });
      respond(client, request);
    });
    const outcome = await outcomeOf(startLatency(['--url', server.url], { ACCESS_TOKEN: TOKEN }));
    await server.stop();
    expect(outcome).toEqual({ code: 1, stdout: '', stderr: expect.stringMatching(line) });
    expect(outcome.stderr).not.toContain(TOKEN);
    expect(sent).toBeLessThan(16 * 1024 * 1024);
  },
);

test('latency fails in one line if nothing listens', async () => {
  const outcome = await outcomeOf(startLatency(['--url', 'http://127.0.0.1:1'], { ACCESS_TOKEN: TOKEN }));
  expect(outcome).toEqual({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/^latency: no connection.*\n$/),
  });
});

test('latency revokes its token when it is interrupted', async () => {
  const service = await startService();
  const running = Promise.withResolvers<void>();
  const silent = await startLyingServer(() => running.resolve());
  await announceEmulator(service.dataDir, { ...service.emulator, url: silent.url });
  const command = startLatency(['--local'], { DATA_DIR: service.dataDir });
  const outcome = outcomeOf(command);
  await running.promise;
  command.kill('SIGTERM');
  await expect(outcome).resolves.toEqual({ code: 1, stdout: '', stderr: 'latency: interrupted\n' });
  const tokens = await tokenStore(service.dynamodb, service.emulator.outputs.TokensTableName ?? '').all();
  expect(tokens.filter(({ name }) => name === 'conformance')).toEqual([]);
  await silent.stop();
  await service.stop();
});
