import { spawnSync } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { announceEmulator } from '@plant-store/emulator';
import { operations } from '../../../lambda/generated/operations.ts';
import { constructId } from '../../../lib/operations.ts';
import { startScriptedServer } from '../../../test/support/servers/scripted-server.ts';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { samArguments } from '../arguments.ts';
import { assertReadyForSam } from '../missing.ts';

const [{ operationId, functionName }] = operations;
const defaults = [constructId(operationId), '--event', `events/${functionName}.json`];
const common = [
  '--template',
  'cdk.out/sam.template.json',
  '--env-vars',
  'events/env.json',
  '--add-host',
  'host.docker.internal:host-gateway',
];

test.each([
  { rest: [], expected: [...defaults, ...common] },
  { rest: ['-', 'Authorize'], expected: ['Authorize', '--event', '-', ...common] },
  { rest: ['--skip-pull-image'], expected: [...defaults, ...common, '--skip-pull-image'] },
  {
    rest: ['other.json', 'Authorize', '-l', 'sam.log'],
    expected: ['Authorize', '--event', 'other.json', ...common, '-l', 'sam.log'],
  },
])(
  'for the arguments $rest, npm run sam:invoke runs sam local invoke with $expected',
  ({ rest, expected }) => {
    expect(samArguments(rest)).toEqual(['local', 'invoke', ...expected]);
  },
);

const folder = temporaryFolder();
const env = { PATH: folder, DATA_DIR: folder };

test('npm run sam:invoke prints one line for each missing requirement, and exits with 1', () => {
  const options = { env, encoding: 'utf8' } as const;
  const { status, stderr } = spawnSync(process.execPath, ['bin/sam.ts'], options);
  const lines =
    / {2}- The SAM CLI is not installed: see https:\S+\n {2}- npm start is not running with .*\n$/;
  expect([status, stderr]).toEqual([1, expect.stringMatching(lines)]);
});

test.each([
  { platform: 'linux', host: '172.17.0.1', warning: undefined },
  {
    platform: 'linux',
    host: '127.0.0.1',
    warning: expect.stringMatching(/^warning: .*HOST=172\.17\.0\.1/),
  },
  { platform: 'darwin', host: '127.0.0.1', warning: undefined },
] as const)(
  'SAM can run if it is installed and npm start is running; on $platform with DynamoDB on $host, the warning is $warning',
  async ({ platform, host, warning }) => {
    writeFileSync(join(folder, 'sam'), '#!/bin/sh\n');
    chmodSync(join(folder, 'sam'), 0o755);
    const server = await startScriptedServer({ status: 204, body: '' });
    const emulator = {
      url: server.url,
      id: 'id',
      dynamodbEndpoint: `http://${host}:8000`,
      outputs: {},
    };
    await announceEmulator(folder, emulator);
    await expect(assertReadyForSam(env, platform)).resolves.toEqual(warning);
    await server.stop();
  },
);
