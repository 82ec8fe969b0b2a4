import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startTestEmulator, type TestEmulator } from 'stack-emulator/test/fixtures/emulator.ts';
import { stackOf } from 'stack-emulator/test/fixtures/resources.ts';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';

/** Whether this user can mount a file system that only one process and its child processes see. */
const canMount =
  process.platform === 'linux' &&
  spawnSync('unshare', ['-rm', 'mount', '-t', 'tmpfs', 'none', '/mnt']).status === 0;

let running: TestEmulator;
beforeAll(async () => {
  running = await startTestEmulator(stackOf({}));
});
afterAll(() => running.stop());

const portOf = (url: string) => new URL(url).port;

/**
 * Runs `bin/start.ts` until it and every other process that writes to its stderr have ended.
 * @param within a command, such as `unshare`, that runs `bin/start.ts`
 */
async function failStart(environment: NodeJS.ProcessEnv, within: readonly string[] = []) {
  const TMPDIR = temporaryFolder();
  const [program = '', ...args] = [...within, process.execPath, 'bin/start.ts'];
  const env = { ...process.env, PORT: '0', DYNAMODB_PORT: '0', TMPDIR, ...environment };
  const child = spawn(program, args, { env, stdio: ['ignore', 'ignore', 'pipe'] });
  const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, 'close')]);
  return { code, lines: stderr.trim().split('\n'), leftBehind: readdirSync(TMPDIR) };
}

const failure = (...lines: readonly RegExp[]) => ({
  code: 1,
  // No other lines may be printed.
  lines: lines.map((line) => expect.stringMatching(line)),
  leftBehind: [],
});

test('npm start exits with 1, a line for each reason and nothing left if ports and data folder are in use', async () => {
  const environment = {
    PORT: portOf(running.url),
    DYNAMODB_PORT: portOf(running.dynamodbEndpoint),
    DATA_DIR: running.dataDir,
  };
  expect(await failStart(environment)).toEqual(
    failure(
      /^Port \d+ is in use: set PORT/,
      /^The data folder .* is in use by another emulator: stop that emulator, or set DATA_DIR/,
      /^DynamoDB's port \d+ is in use: set DYNAMODB_PORT/,
    ),
  );
});

test('npm start prints a one-line error when the folder for temporary files cannot be written', async () => {
  expect(await failStart({ TMPDIR: '/nonexistent' })).toEqual(
    failure(/^The temporary folder \/nonexistent cannot be used \(ENOENT.*\): set TMPDIR/),
  );
});

// Mounting needs user namespaces, which most Linux distributions allow.
(canMount ? test : test.skip)(
  'npm start prints a one-line error, and leaves no file behind, when the disk is full',
  async () => {
    const mount = 'mount -t tmpfs -o size=16k none "$DATA_DIR" && exec "$@"';
    const within = ['unshare', '-rm', 'sh', '-c', mount, 'sh'];
    expect(await failStart({ DATA_DIR: temporaryFolder() }, within)).toEqual(
      failure(/^The data folder .* cannot be used \(.*No space left.*\): set DATA_DIR/),
    );
  },
);
