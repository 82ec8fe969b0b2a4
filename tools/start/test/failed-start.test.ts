import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type LoopbackServer, listenOnLoopback } from '../../../test/support/loopback.ts';
import { synthesizedAssembly } from '../../../test/support/synthesized-assembly.ts';
import { type EmulatorProcess, startEmulatorProcess } from '../../emulator/test/crash/emulator-process.ts';
import { canMount, type FailedStart, failStart } from './failed-start.ts';

const TITLE =
  'exits with 1 and a line for each reason, before it synthesizes, and leaves no process and no file, when %s';

// Each failed start takes a second: so they run in parallel, and each test reads its own.
describe('npm start', () => {
  const failures = new Map<string, Promise<FailedStart>>();
  const folders: string[] = [];
  let busy: LoopbackServer;
  let running: EmulatorProcess;

  beforeAll(async () => {
    busy = await listenOnLoopback(createServer());
    const port = String(busy.port);
    const start = async (what: string, environment: Record<string, string>, mount?: string) => {
      failures.set(what, failStart({ DATA_DIR: await newFolder(folders), ...environment }, mount));
    };
    await start('its port is taken', { PORT: port });
    await start('DynamoDB’s port is taken', { DYNAMODB_PORT: port });
    const inUse = await newFolder(folders);
    running = await startEmulatorProcess(synthesizedAssembly(), inUse);
    const another = new URL(running.dynamodbEndpoint).port;
    await start('its ports and its data folder are in use', {
      PORT: port,
      DYNAMODB_PORT: another,
      DATA_DIR: inUse,
    });
    await start('its port is taken and its DynamoDB does not respond', {
      DYNAMODB_ENDPOINT: 'http://127.0.0.1:1',
      PORT: port,
    });
    await start('its data are damaged', { DATA_DIR: await damagedData(folders) });
    if (canMount) {
      await start('the disk is full', {}, 'mount -t tmpfs -o size=16k none "$DATA_DIR"');
      await start('the data folder is read-only', {}, 'mount -t tmpfs -o ro none "$DATA_DIR"');
    }
    await Promise.all(failures.values());
  }, 150_000);
  afterAll(async () => {
    await busy.stop();
    await running.kill();
    await Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true })));
  });

  const expectFailure = async (what: string, messages: readonly RegExp[]) => {
    const { code, stderr = '', leftRunning, leftBehind } = (await failures.get(what)) ?? {};
    // Nothing else: it has not begun to synthesize.
    expect(stderr.trim().split('\n')).toEqual(messages.map((message) => expect.stringMatching(message)));
    expect({ code, leftRunning, leftBehind }).toEqual({ code: 1, leftRunning: false, leftBehind: [] });
  };

  const portInUse = /^Port \d+ is in use: set PORT/;
  const dynamodbPortInUse = /^DynamoDB's port \d+ is in use: set DYNAMODB_PORT/;
  const folderInUse = /^The data folder .* is in use by another emulator: stop that, or set DATA_DIR/;
  const noDynamoDB = /^No DynamoDB responds at .*: start it there, or change DYNAMODB_ENDPOINT/;
  test.each([
    ['its port is taken', [portInUse]],
    ['DynamoDB’s port is taken', [dynamodbPortInUse]],
    ['its ports and its data folder are in use', [portInUse, folderInUse, dynamodbPortInUse]],
    ['its port is taken and its DynamoDB does not respond', [portInUse, noDynamoDB]],
    ['its data are damaged', [/^The data folder .* is damaged: remove it or set DATA_DIR/]],
  ])(TITLE, expectFailure);

  // Mounting needs user namespaces, which most Linux distributions allow.
  (canMount ? test : test.skip).each([
    ['the disk is full', [/^The disk of the data folder .* is full/]],
    ['the data folder is read-only', [/^The data folder .* cannot be .*: set DATA_DIR/]],
  ])(TITLE, expectFailure);
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
