import { once } from 'node:events';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { addressOf } from '../../emulator/listen.ts';
import { synthesizedAssembly } from '../support/synthesized-assembly.ts';
import { type EmulatorProcess, startEmulatorProcess } from './emulator-process.ts';
import { canMount, type FailedStart, failStart } from './failed-start.ts';

/** Each failed start takes a second: so they run in parallel, and each test reads its own. */
describe('npm start exits with 1 and a line for each reason, before it synthesizes, and leaves no process and no file, when', () => {
  const failures = new Map<string, Promise<FailedStart>>();
  const folders: string[] = [];
  let busy: Server;
  let running: EmulatorProcess;

  beforeAll(async () => {
    busy = createServer().listen(0, '127.0.0.1');
    await once(busy, 'listening');
    const port = String(addressOf(busy.address()).port);
    const start = async (what: string, environment: Record<string, string>, mount?: string) => {
      failures.set(what, failStart({ DATA_DIR: await newFolder(folders), ...environment }, mount));
    };
    await start('its port is taken', { PORT: port });
    await start('DynamoDB’s port is taken', { DYNAMODB_PORT: port });
    const inUse = await newFolder(folders);
    running = await startEmulatorProcess(synthesizedAssembly(), inUse);
    const another = new URL(running.dynamodbEndpoint).port;
    await start('everything is in use', { PORT: port, DYNAMODB_PORT: another, DATA_DIR: inUse });
    await start('its DynamoDB is dead', { DYNAMODB_ENDPOINT: 'http://127.0.0.1:1', PORT: port });
    await start('its data are damaged', { DATA_DIR: await damagedData(folders) });
    if (canMount) {
      await start('the disk is full', {}, 'mount -t tmpfs -o size=16k none "$DATA_DIR"');
      await start('the data folder is read-only', {}, 'mount -t tmpfs -o ro none "$DATA_DIR"');
    }
    await Promise.all(failures.values());
  }, 150_000);
  afterAll(async () => {
    busy.close();
    await running.kill();
    await Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true })));
  });

  async function expectFailure(what: string, ...messages: readonly RegExp[]) {
    const { code, stderr = '', leftRunning, leftBehind } = (await failures.get(what)) ?? {};
    // Nothing else: it has not begun to synthesize.
    expect(stderr.trim().split('\n')).toEqual(messages.map((message) => expect.stringMatching(message)));
    expect({ code, leftRunning, leftBehind }).toEqual({ code: 1, leftRunning: false, leftBehind: [] });
  }

  test('its port is taken', () => expectFailure('its port is taken', /^Port \d+ is in use: set PORT/));
  test('DynamoDB’s port is taken', () =>
    expectFailure('DynamoDB’s port is taken', /^DynamoDB's port \d+ is in use: set DYNAMODB_PORT/));
  test('its ports and its data folder are in use', () =>
    expectFailure(
      'everything is in use',
      /^Port \d+ is in use: set PORT/,
      /^DynamoDB's port \d+ is in use: set DYNAMODB_PORT/,
      /^The data folder .* is in use by another emulator: stop that, or set DATA_DIR/,
    ));
  test('its port is taken and its DynamoDB does not respond', () =>
    expectFailure(
      'its DynamoDB is dead',
      /^Port \d+ is in use: set PORT/,
      /^No DynamoDB responds at .*: start it there, or change DYNAMODB_ENDPOINT/,
    ));
  test('its data are damaged', () =>
    expectFailure('its data are damaged', /^The data folder .* is damaged: remove it or set DATA_DIR/));

  // Mounting needs user namespaces, which most Linux distributions allow.
  const testWithMount = canMount ? test : test.skip;
  testWithMount('the disk is full', () =>
    expectFailure('the disk is full', /^The disk of the data folder .* is full/),
  );
  testWithMount('the data folder is read-only', () =>
    expectFailure('the data folder is read-only', /^The data folder .* cannot be .*: set DATA_DIR/),
  );
});

async function newFolder(folders: string[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'plant-store-data-'));
  folders.push(folder);
  return folder;
}

/** The data of an emulator that ran, with a damaged manifest of LevelDB. */
async function damagedData(folders: string[]): Promise<string> {
  const folder = await newFolder(folders);
  const { kill } = await startEmulatorProcess(synthesizedAssembly(), folder);
  await kill();
  const files = await readdir(join(folder, 'dynamodb'));
  const manifests = files.filter((name) => name.startsWith('MANIFEST'));
  await Promise.all(manifests.map((name) => writeFile(join(folder, 'dynamodb', name), 'rubbish')));
  return folder;
}
