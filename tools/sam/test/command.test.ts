import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
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
const defaults = [constructId(operationId), `events/${functionName}.json`];
test.each([
  { rest: [], expected: defaults, options: [] },
  { rest: ['-', 'Authorize'], expected: ['Authorize', '-'], options: [] },
  { rest: ['--skip-pull-image'], expected: defaults, options: ['--skip-pull-image'] },
  {
    rest: ['other.json', 'Authorize', '-l', 'sam.log'],
    expected: ['Authorize', 'other.json'],
    options: ['-l', 'sam.log'],
  },
])(
  'for the arguments $rest, npm run sam:invoke passes the event, the function and the options to SAM',
  ({ rest, expected, options }) => {
    const [local, verb, functionId, , event, ...others] = samArguments('invoke', rest);
    expect([local, verb, functionId, event]).toEqual(['local', 'invoke', ...expected]);
    expect(others.slice(others.indexOf('host.docker.internal:host-gateway') + 1)).toEqual(options);
  },
);

test('npm run sam:start-api passes to SAM its copy of the template, an existing file with environment variables, and the options', () => {
  const args = samArguments('start-api', ['--skip-pull-image']);
  const optionOf = (option: string) => args[args.indexOf(option) + 1] ?? '';
  expect(optionOf('--template')).toBe('cdk.out/sam.template.json');
  expect(existsSync(optionOf('--env-vars'))).toBe(true);
  expect(readFileSync('docs/sam.md', 'utf8')).toContain(`on port ${optionOf('--port')} `);
  expect(args.at(-1)).toBe('--skip-pull-image');
});

const folder = temporaryFolder();
const env = { PATH: folder, DATA_DIR: folder };

test('npm run sam:invoke prints one line for each missing requirement, and exits with 1', () => {
  const options = { env, encoding: 'utf8' } as const;
  const { status, stderr } = spawnSync(process.execPath, ['bin/sam.ts', 'invoke'], options);
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
