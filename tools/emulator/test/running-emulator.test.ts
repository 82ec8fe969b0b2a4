import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { announcedEmulator, announceEmulator } from '../index.ts';
import { addressOf } from '../listen.ts';

test('finds an emulator only while its process and its port exist, and removes only the emulator’s own file', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'emulator-data-'));
  const file = join(dataDir, 'emulator.json');
  const server = createServer().unref().listen(0);
  await once(server, 'listening');
  const url = `http://localhost:${addressOf(server.address()).port}`;
  const address = { url, dynamodbEndpoint: 'http://localhost:8000', outputs: { Name: 'value' } };
  const withdraw = await announceEmulator(dataDir, address);
  await expect(announcedEmulator(dataDir)).resolves.toMatchObject(address);

  const own = readFileSync(file, 'utf8');
  const { pid: ended } = spawnSync('true');
  writeFileSync(file, JSON.stringify({ ...address, pid: ended }));
  await expect(announcedEmulator(dataDir)).resolves.toBeUndefined();
  await withdraw();
  expect(existsSync(file)).toBe(true);

  writeFileSync(file, own);
  await once(server.close(), 'close');
  await expect(announcedEmulator(dataDir)).resolves.toBeUndefined();
  await withdraw();
  expect(existsSync(file)).toBe(false);
  rmSync(dataDir, { recursive: true });
});
