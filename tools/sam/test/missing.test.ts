import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { announceEmulator } from '@plant-store/emulator';
import { PROJECT } from '../../../test/support/code-blocks.ts';
import { assertReadyForSam } from '../missing.ts';

const folder = mkdtempSync(join(tmpdir(), 'plant-store-sam-'));
afterAll(() => rmSync(folder, { recursive: true }));
const env = { PATH: folder, DATA_DIR: folder };

test('sam.ts prints each missing part in a line and exits with 1', () => {
  const options = { cwd: PROJECT, env, encoding: 'utf8' } as const;
  const { status, stderr } = spawnSync(process.execPath, ['bin/sam.ts', 'invoke'], options);
  const lines = / {2}- The SAM CLI is not installed: see https:\S+\n {2}- No npm start runs with .*\n$/;
  expect([status, stderr]).toEqual([1, expect.stringMatching(lines)]);
});

test('nothing is missing for SAM if it is installed and npm start runs', async () => {
  writeFileSync(join(folder, 'sam'), '#!/bin/sh\n');
  chmodSync(join(folder, 'sam'), 0o755);
  const dynamodbEndpoint = 'http://172.17.0.1:8000';
  await announceEmulator(folder, { url: 'http://172.17.0.1:3000', dynamodbEndpoint, outputs: {} });
  await expect(assertReadyForSam(env)).resolves.toBeUndefined();
});
