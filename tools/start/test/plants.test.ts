import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startCloudFormation } from '../../../test/support/cloudformation.ts';
import { type StartedService, startFromCommandLine } from '../../../test/support/started-service.ts';
import { command, outcomeOf } from '../../../test/support/token-command.ts';
import { localDynamoDB } from '../../tokens/connect.ts';
import { listPlants } from '../plants.ts';
import { readTable, tableNames } from '../stored-items.ts';

const ids = [...Array(120).keys()].map(String);
const newest = '{"id":9223372036854775807,"name":"a\\n\\u001bb"}';

let service: StartedService;
let dynamodbEndpoint: string;
beforeAll(async () => {
  service = await startFromCommandLine();
  [, dynamodbEndpoint = ''] = /DynamoDB +(\S+)/.exec(service.printed()) ?? [];
  const headers = { Authorization: `Bearer ${service.token}`, 'Content-Type': 'application/json' };
  for (const body of [...ids.map((id) => `{"id":${id},"name":"Fern"}`), newest])
    await fetch(`${service.url}/plants`, { method: 'POST', headers, body });
});
afterAll(async () => {
  service.kill('SIGKILL');
  await service.ended;
  await rm(service.dataDir, { recursive: true });
});

const run = (name: string, args: readonly string[], env: Record<string, string> = {}) =>
  outcomeOf(command(name, args, { DATA_DIR: service.dataDir, ...env }));

async function printed(args: readonly string[], isTerminal: boolean): Promise<string> {
  let text = '';
  for await (const part of listPlants(args, { DATA_DIR: service.dataDir }, isTerminal)) text += part;
  return text;
}

test('npm run plants prints every plant once, with its exact id, to a pipe, beginning with plants from the last requests', async () => {
  const { code, stdout, stderr } = await run('plants', ['--local']);
  const lines = stdout.trimEnd().split('\n');
  expect([code, stderr]).toEqual([0, '']);
  expect(lines.slice(0, 3)).toEqual([newest, '{"id":119,"name":"Fern"}', '{"id":118,"name":"Fern"}']);
  expect(new Set(lines).size).toBe(121);
  expect(lines).toHaveLength(121);
});

test('npm run plants prints the first plants as a table in a terminal, and how to list all plants', async () => {
  const table = await printed(['--local'], true);
  const lines = table.split('\n');
  expect(lines.slice(0, 3)).toEqual([
    'ID                   NAME',
    '9223372036854775807  a\\n\\u001bb',
    '119                  Fern',
  ]);
  expect(table).toMatch(/There are more plants: .*\n$/);
});

test('npm run plants ends without an error when its reader stops reading', async () => {
  const plants = command('plants', ['--local'], { DATA_DIR: service.dataDir });
  plants.stdout.destroy();
  let error = '';
  plants.stderr.on('data', (text) => {
    error += text;
  });
  await expect(once(plants, 'close')).resolves.toEqual([0, null]);
  expect(error).toBe('');
});

test('npm run plants finds the table of a deployed stage through its CloudFormation stack', async () => {
  const tables = await run('plants', ['--local']);
  const cloudFormation = await startCloudFormation({ 'PlantStore-dev': { tables: ['PlantsF7D2F15D'] } });
  const env = {
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'any',
    AWS_SECRET_ACCESS_KEY: 'any',
    AWS_ENDPOINT_URL_CLOUDFORMATION: cloudFormation.url,
    AWS_ENDPOINT_URL_DYNAMODB: dynamodbEndpoint,
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

test('readTable returns items from the last requests first, tokens without their hashes, and all attributes as JSON', async () => {
  const client = localDynamoDB(dynamodbEndpoint);
  const TableName = (await tableNames(client)).find((name) => name.startsWith('Tokens')) ?? '';
  const token = { hash: { S: 'a hash' }, name: { S: 'ci' }, issuedAt: { N: '1' } };
  const values = { list: { L: [{ NULL: true }, { BOOL: true }, { M: { n: { N: '9007199254740993' } } }] } };
  const sets = { numbers: { NS: ['1', '2'] }, strings: { SS: ['a'] }, bytes: { B: Buffer.from('a') } };
  for (const item of [
    { id: { S: 'a1' }, ...token, expiresAt: { N: '2' } },
    { id: { S: 'b2' }, ...token },
    { id: { S: 'c"3' }, ...values, ...sets },
  ])
    await client.send(new PutItemCommand({ TableName, Item: item }));
  const bodies = ['{"id":"b2"}', '{"id":"c\\"3"}', '{"id":1}', '{"name":"none"}', '"id":"\\x"'];
  const sent = bodies.map((body) => ({ status: 200, request: { body } }));
  const { items, next } = await readTable(client, TableName, sent);
  const shown = items.map(String);
  expect(shown.slice(0, 2)).toEqual([
    'bytes,"YQ==",id,"c\\"3",list,[null,true,{"n":9007199254740993}],numbers,[1,2],strings,["a"]',
    'id,"b2",client,"ci",issued,"1970-01-01T00:00:01Z",expires,"never"',
  ]);
  expect(shown.slice(2)).toContain(
    'id,"a1",client,"ci",issued,"1970-01-01T00:00:01Z",expires,"1970-01-01T00:00:02Z"',
  );
  expect([shown.length, shown.join().includes('hash'), next]).toEqual([4, false, undefined]);
});

test('npm run plants prints help, and rejects unknown arguments', async () => {
  await expect(printed(['--help'], true)).resolves.toContain('npm run plants -- [--local | --stage STAGE]');
  const rejected = "Unexpected argument 'all'; see npm run plants -- --help";
  await expect(printed(['all'], true)).rejects.toThrow(rejected);
});

test('npm run reset deletes no data that an emulator uses, even while that emulator is still starting', async () => {
  const running = await run('reset', []);
  await rm(join(service.dataDir, 'emulator.json'));
  const starting = await run('reset', []);
  expect([running.code, running.stderr, starting.code, starting.stderr]).toEqual([
    1,
    `reset: The emulator at ${service.url} is using ${service.dataDir}: stop the emulator, then try again\n`,
    1,
    expect.stringMatching(/^reset: The data folder \S+ is in use by another emulator/),
  ]);
});

test('npm run reset deletes the data of npm start and prints what it deleted; with an argument, it deletes nothing', async () => {
  service.kill('SIGKILL');
  await service.ended;
  const [help, wrong] = [await run('reset', ['--help']), await run('reset', ['all'])];
  expect([help.stdout, wrong.code, wrong.stderr]).toEqual([
    expect.stringContaining('npm run reset'),
    1,
    'reset: expected no arguments, got all; nothing was deleted\n',
  ]);
  const [deleted, nothing] = [await run('reset', []), await run('reset', [])];
  expect([deleted.stdout, existsSync(join(service.dataDir, 'dynamodb')), nothing.stdout]).toEqual([
    expect.stringMatching(
      /^Deleted \S+dynamodb \(\d+ KB\): all plants and tokens that npm start had stored\.\n$/,
    ),
    false,
    `Nothing is stored in ${service.dataDir}.\n`,
  ]);
});
