import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { listPlants } from '../../start/plants.ts';
import { startCloudFormation } from '../support/cloudformation.ts';
import { type StartedService, startFromCommandLine } from '../support/started-service.ts';
import { command, outcomeOf } from '../support/token-command.ts';

const ids = [...Array(120).keys()].map(String);
const newest = '{"id":9223372036854775807,"name":"a\\n\\u001bb"}';

let service: StartedService;
beforeAll(async () => {
  service = await startFromCommandLine();
  const headers = { Authorization: `Bearer ${service.token}`, 'Content-Type': 'application/json' };
  for (const body of [...ids.map((id) => `{"id":${id},"name":"Fern"}`), newest])
    await fetch(`${service.url}/plants`, { method: 'POST', headers, body });
});
afterAll(() => service.stop());

const run = (name: string, args: readonly string[], env: Record<string, string> = {}) =>
  outcomeOf(command(name, args, { DATA_DIR: service.dataDir, ...env }));

async function printed(args: readonly string[], isTerminal: boolean): Promise<string> {
  let text = '';
  for await (const part of listPlants(args, { DATA_DIR: service.dataDir }, isTerminal)) text += part;
  return text;
}

test('npm run plants prints every plant once on a pipe, the last requests first, with exact ids', async () => {
  const { code, stdout, stderr } = await run('plants', ['--local']);
  const lines = stdout.trimEnd().split('\n');
  expect([code, stderr]).toEqual([0, '']);
  expect(lines.slice(0, 3)).toEqual([newest, '{"id":119,"name":"Fern"}', '{"id":118,"name":"Fern"}']);
  expect(new Set(lines).size).toBe(121);
  expect(lines).toHaveLength(121);
});

test('npm run plants prints the first plants as a table on a terminal, and how to get all', async () => {
  const table = await printed(['--local'], true);
  const lines = table.split('\n');
  expect(lines.slice(0, 3)).toEqual([
    'ID                   NAME',
    '9223372036854775807  a\\n\\u001bb',
    '119                  Fern',
  ]);
  expect(table).toMatch(/There are more: .*\n$/);
});

test('npm run plants ends without an error if its reader has enough', async () => {
  const plants = command('plants', ['--local'], { DATA_DIR: service.dataDir });
  plants.stdout.destroy();
  let error = '';
  plants.stderr.on('data', (text) => {
    error += text;
  });
  await expect(once(plants, 'close')).resolves.toEqual([0, null]);
  expect(error).toBe('');
});

test('npm run plants finds the table of a deployed stage by its stack', async () => {
  const [, endpoint = ''] = /DynamoDB +(\S+)/.exec(service.printed()) ?? [];
  const tables = await run('plants', ['--local']);
  const cloudFormation = await startCloudFormation({ 'PlantStore-dev': { tables: ['PlantsF7D2F15D'] } });
  const env = {
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'any',
    AWS_SECRET_ACCESS_KEY: 'any',
    AWS_ENDPOINT_URL_CLOUDFORMATION: cloudFormation.url,
    AWS_ENDPOINT_URL_DYNAMODB: endpoint,
  };
  const [deployed, missing] = await Promise.all([
    run('plants', [], env),
    run('plants', ['--stage', 'demo'], env),
  ]);
  await cloudFormation.stop();

  expect(deployed.stdout.split('\n').sort()).toEqual(tables.stdout.split('\n').sort());
  expect(missing).toEqual({
    code: 1,
    stdout: '',
    stderr: 'plants: ValidationError: Stack with id PlantStore-demo does not exist\n',
  });
});

test.each([
  [['--local', '--stage', 'dev'], /--local and --stage are mutually exclusive$/],
  [['all'], /plants accepts options only; see npm run plants -- --help$/],
])('npm run plants rejects %j with a message that ends in what to do', async (args, message) => {
  await expect(printed(args, true)).rejects.toThrow(message);
});

test('npm run plants explains itself', async () => {
  await expect(printed(['--help'], true)).resolves.toContain('npm run plants -- [--local | --stage STAGE]');
});

test('npm run reset deletes the data of npm start, and says what, unless an emulator uses them', async () => {
  const inUse = await run('reset', []);
  expect(inUse).toEqual({
    code: 1,
    stdout: '',
    stderr: `reset: The emulator at ${service.url} uses ${service.dataDir}: stop it, and try again\n`,
  });
  const another = await startFromCommandLine();
  another.kill('SIGKILL');
  await another.ended;
  const env = { DATA_DIR: another.dataDir };
  const [deleted, nothing] = [await run('reset', [], env), await run('reset', [], env)];
  const folder = join(another.dataDir, 'dynamodb');
  expect([deleted.stdout, existsSync(folder), nothing.stdout]).toEqual([
    expect.stringMatching(/^Deleted \S+dynamodb \(\d+ KB\): all plants and tokens of npm start\.\n$/),
    false,
    `Nothing is stored in ${another.dataDir}.\n`,
  ]);
  await rm(another.dataDir, { recursive: true });
});

test('npm run reset deletes nothing while an emulator starts', async () => {
  const dataDir = service.dataDir;
  const starting = spawn(process.execPath, ['bin/start.ts'], {
    cwd: join(import.meta.dirname, '../..'),
    env: { ...process.env, PORT: '0', DYNAMODB_PORT: '0', DATA_DIR: `${dataDir}/second` },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = once(starting, 'exit');
  await once(starting.stderr, 'data');
  const { stderr } = await run('reset', [], { DATA_DIR: `${dataDir}/second` });
  starting.kill('SIGKILL');
  await ended;
  expect(stderr).toMatch(/^reset: The data folder \S+ is in use by another emulator/);
});
