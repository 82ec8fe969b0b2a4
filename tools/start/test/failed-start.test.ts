import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { announceEmulator } from '@plant-store/emulator';
import { startTestEmulator, type TestEmulator } from '../../emulator/test/fixtures/emulator.ts';
import { stackOf } from '../../emulator/test/fixtures/resources.ts';

const fixture = stackOf({});
/** Whether this user can mount a file system that only one process and its child processes see. */
const canMount =
  process.platform === 'linux' &&
  spawnSync('unshare', ['-rm', 'mount', '-t', 'tmpfs', 'none', '/mnt']).status === 0;

let dataDir: string;
let running: TestEmulator;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'plant-store-data-'));
  running = await startTestEmulator(fixture, { dataDir });
});
afterAll(async () => {
  await running.stop();
  await rm(dataDir, { recursive: true });
});

/**
 * Runs `bin/start.ts` until it and every other process that writes to its stderr have ended.
 * @param within a command, such as `unshare`, that runs `bin/start.ts`
 */
async function failStart(environment: NodeJS.ProcessEnv, within: readonly string[] = []) {
  const temporary = await mkdtemp(join(tmpdir(), 'plant-store-start-'));
  const [program = '', ...args] = [...within, process.execPath, 'bin/start.ts'];
  const env = { ...process.env, PORT: '0', DYNAMODB_PORT: '0', TMPDIR: temporary, ...environment };
  const child = spawn(program, args, { env, stdio: ['ignore', 'ignore', 'pipe'] });
  const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, 'close')]);
  const leftBehind = await readdir(temporary);
  await rm(temporary, { recursive: true });
  return { code, lines: stderr.trim().split('\n'), leftBehind };
}

const failure = (...lines: readonly RegExp[]) => ({
  code: 1,
  // No other lines may be printed.
  lines: lines.map((line) => expect.stringMatching(line)),
  leftBehind: [],
});

test('npm start exits with 1, prints a line for each reason, and leaves no process or file behind when its ports and its data folder are in use', async () => {
  const [PORT, DYNAMODB_PORT] = [running.url, running.dynamodbEndpoint].map(
    (url) => new URL(url).port,
  );
  expect(await failStart({ PORT, DYNAMODB_PORT, DATA_DIR: dataDir })).toEqual(
    failure(
      /^Port \d+ is in use: set PORT/,
      /^The data folder .* is in use by another emulator: stop that emulator, or set DATA_DIR/,
      /^DynamoDB's port \d+ is in use: set DYNAMODB_PORT/,
    ),
  );
});

test('npm start leaves no new data folder behind when a port is in use', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'plant-store-data-'));
  const DATA_DIR = join(folder, 'new', 'data');
  const [PORT, DYNAMODB_PORT] = [running.url, running.dynamodbEndpoint].map(
    (url) => new URL(url).port,
  );
  expect(await failStart({ DATA_DIR, PORT })).toEqual(failure(/^Port \d+ is in use/));
  expect(await failStart({ DATA_DIR, DYNAMODB_PORT })).toEqual(
    failure(/^DynamoDB's port \d+ is in use/),
  );
  expect(await readdir(folder)).toEqual([]);
  await rm(folder, { recursive: true });
});

// Mounting needs user namespaces, which most Linux distributions allow.
(canMount ? test : test.skip)(
  'npm start prints a one-line error, and leaves no file behind, when the disk is full',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'plant-store-data-'));
    const mount = 'mount -t tmpfs -o size=16k none "$DATA_DIR" && exec "$@"';
    const failed = await failStart({ DATA_DIR: folder }, [
      'unshare',
      '-rm',
      'sh',
      '-c',
      mount,
      'sh',
    ]);
    await rm(folder, { recursive: true });
    const noSpace = /^The data folder .* cannot be used \(.*No space left.*\): set DATA_DIR/;
    expect(failed).toEqual(failure(noSpace));
  },
);

test('the emulator does not start or announce itself when its data is damaged or the data folder cannot be created', async () => {
  const damaged = await mkdtemp(join(tmpdir(), 'plant-store-data-'));
  await (await startTestEmulator(fixture, { dataDir: damaged })).stop();
  for (const name of await readdir(join(damaged, 'dynamodb')))
    if (name.startsWith('MANIFEST')) await writeFile(join(damaged, 'dynamodb', name), 'garbage');
  await expect(startTestEmulator(fixture, { dataDir: damaged })).rejects.toThrow(
    /^The data folder .* is damaged \(.*\): remove the folder, or set DATA_DIR/,
  );
  await rm(damaged, { recursive: true });
  const cannotBeUsed =
    /^The data folder .* cannot be used \(.*ENOTDIR.*\): set DATA_DIR to another folder$/;
  await expect(startTestEmulator(fixture, { dataDir: '/dev/null/data' })).rejects.toThrow(
    cannotBeUsed,
  );
  await expect(announceEmulator('/dev/null/data', running)).rejects.toThrow(cannotBeUsed);
});
