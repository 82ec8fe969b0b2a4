import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { callDynamoDB } from '../../emulator/dynamodb/client.ts';
import { EmulatorError } from '../../emulator/emulator-error.ts';
import { writeAssembly } from './fixtures/assembly.ts';
import { arnOf, method, resource, restApi, table } from './fixtures/resources.ts';
import { startTestStage, type TestStage } from './fixtures/stage.ts';

const nothing = { Nothing: `exports.handler = async () => ({ statusCode: 200 });` };
const resources = { ...restApi(), ...method('nothing', 'GET', arnOf('Nothing')) };
const withTable = { functions: nothing, resources: { ...resources, Plants: table('id', 'N') } };

let dataDir: string;
const stages: TestStage[] = [];
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'stage-data-'));
});
afterEach(async () => {
  await Promise.all(stages.splice(0).map((stage) => stage.stop()));
  await rm(dataDir, { recursive: true, force: true });
});

/** A stage that ends with its test, with one that fails too: Jest waits for what still runs. */
async function start(...options: Parameters<typeof startTestStage>): Promise<TestStage> {
  const stage = await startTestStage(...options);
  stages.push(stage);
  return stage;
}

const put = (endpoint: string, id: number) =>
  callDynamoDB(endpoint, 'PutItem', { TableName: 'Plants', Item: { id: { N: String(id) } } });
const count = async (endpoint: string) =>
  (await callDynamoDB(endpoint, 'Scan', { TableName: 'Plants', Select: 'COUNT' })).Count;

/** A stage that doesn't come up, and leaves nothing behind. */
async function failure(starting: Promise<TestStage>): Promise<string> {
  const error = await starting.then(
    (stage) => stage.stop().then(() => 'it started'),
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(EmulatorError);
  return error instanceof Error ? error.message : String(error);
}

test('the tables of the template are there, with their keys and indexes, and keep their items', async () => {
  const global = resource('AWS::DynamoDB::GlobalTable', {
    AttributeDefinitions: [
      { AttributeName: 'id', AttributeType: 'S' },
      { AttributeName: 'name', AttributeType: 'S' },
    ],
    KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
    GlobalSecondaryIndexes: [
      {
        IndexName: 'byName',
        KeySchema: [{ AttributeName: 'name', KeyType: 'HASH' }],
        Projection: { ProjectionType: 'ALL' },
        WriteProvisionedThroughputSettings: {},
      },
    ],
    Replicas: [{ Region: { Ref: 'AWS::Region' } }],
    TimeToLiveSpecification: { AttributeName: 'expiresAt', Enabled: true },
  });
  const fixture = { functions: nothing, resources: { ...withTable.resources, Tokens: global } };
  const first = await start(fixture, { dataDir });
  expect(first.tableNames).toEqual(['Plants', 'Tokens']);
  const { Table } = await callDynamoDB(first.dynamodbEndpoint, 'DescribeTable', { TableName: 'Tokens' });
  expect(Table).toMatchObject({ TableStatus: 'ACTIVE', GlobalSecondaryIndexes: [{ IndexName: 'byName' }] });
  await put(first.dynamodbEndpoint, 1);
  await first.stop();

  const second = await start(fixture, { dataDir });
  expect(await count(second.dynamodbEndpoint)).toBe(1);
  await second.stop();
});

test('a table whose key the template has changed is not touched', async () => {
  await (await start(withTable, { dataDir })).stop();
  const changed = { functions: nothing, resources: { ...resources, Plants: table('id', 'S') } };
  expect(await failure(start(changed, { dataDir }))).toMatch(
    /^The table Plants has the key id \(N, HASH\), but the template wants id \(S, HASH\)/,
  );
});

test('a kill -9 under load loses no acknowledged item', async () => {
  const assembly = await writeAssembly(withTable);
  const script = join(import.meta.dirname, 'fixtures', 'run-stage.ts');
  const child = spawn(process.execPath, [script, assembly, dataDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(createInterface({ input: child.stdout }), 'line');
  const { dynamodbEndpoint } = JSON.parse(line);
  let acknowledged = 0;
  let next = 0;
  const writer = async () => {
    for (;;) {
      await put(dynamodbEndpoint, next++);
      acknowledged += 1;
      if (acknowledged === 500) child.kill('SIGKILL');
    }
  };
  await Promise.allSettled(Array.from({ length: 8 }, writer));

  const stage = await start(withTable, { dataDir });
  expect(acknowledged).toBeGreaterThanOrEqual(500);
  expect(await count(stage.dynamodbEndpoint)).toBeGreaterThanOrEqual(acknowledged);
  await stage.stop();
  await rm(assembly, { recursive: true });
});

test('clients that break off leave DynamoDB running', async () => {
  const stage = await start(withTable, { dataDir });
  const { hostname, port } = new URL(stage.dynamodbEndpoint);
  for (let i = 0; i < 5; i++) {
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nhalf');
    await new Promise((resolve) => setTimeout(resolve, 10));
    socket.resetAndDestroy();
  }
  await put(stage.dynamodbEndpoint, 1);
  expect(await count(stage.dynamodbEndpoint)).toBe(1);
  await stage.stop();
});

test('another DynamoDB can be used; it gets the tables', async () => {
  const owner = await start({ functions: nothing, resources }, { dataDir });
  const guest = await start(withTable, { dynamodbEndpoint: owner.dynamodbEndpoint });
  expect(guest.dynamodbEndpoint).toBe(owner.dynamodbEndpoint);
  await put(owner.dynamodbEndpoint, 1);
  await Promise.all([guest.stop(), owner.stop()]);
  const gone = start(withTable, { dynamodbEndpoint: owner.dynamodbEndpoint });
  expect(await failure(gone)).toMatch(
    /^No DynamoDB answers at http.*change DYNAMODB_ENDPOINT .*ECONNREFUSED/,
  );
});

test.each([
  ['that fetch refuses', 'http://127.0.0.1:9'],
  ['that is no URL', 'localhost'],
])('an endpoint %s is named', async (_, dynamodbEndpoint) => {
  const message = await failure(start(withTable, { dynamodbEndpoint }));
  expect(message).toContain(`No DynamoDB answers at ${dynamodbEndpoint}: `);
  expect(message).toContain('change DYNAMODB_ENDPOINT');
});

test('an endpoint where something else answers is named', async () => {
  const owner = await start({ functions: nothing, resources }, { dataDir });
  const message = await failure(start(withTable, { dynamodbEndpoint: owner.url }));
  await owner.stop();
  expect(message).toContain(`No DynamoDB answers at ${owner.url}: `);
});

describe('a DynamoDB process that dies', () => {
  test('is started again in the same place, with its items', async () => {
    const stage = await start(withTable, { dataDir });
    await put(stage.dynamodbEndpoint, 1);
    process.kill(dynamodbProcess(), 'SIGKILL');
    await until(() => stage.lines.includes('The embedded DynamoDB is back'));

    await put(stage.dynamodbEndpoint, 2);
    expect(await count(stage.dynamodbEndpoint)).toBe(2);
    expect(stage.lines).toContain('The embedded DynamoDB ended (SIGKILL)');
    await stage.stop();
    await expect(fetch(stage.dynamodbEndpoint)).rejects.toThrow();
  });

  test('is not started again for ever', async () => {
    const stage = await start(withTable, { dataDir });
    await rename(join(dataDir, 'dynamodb'), join(dataDir, 'moved'));
    await writeFile(join(dataDir, 'dynamodb'), 'no folder');
    process.kill(dynamodbProcess(), 'SIGKILL');
    await until(() => stage.lines.some((line) => line.endsWith('start the stage again')));

    expect(stage.lines.filter((line) => line.includes("DynamoDB can't start: The data folder"))).not.toEqual(
      [],
    );
    await stage.stop();
  });

  test('while the stage stops stays dead', async () => {
    const stage = await start(withTable, { dataDir });
    process.kill(dynamodbProcess(), 'SIGKILL');
    await until(() => stage.lines.length > 0);
    await stage.stop();
    await expect(fetch(stage.dynamodbEndpoint)).rejects.toThrow();
    expect(dynamodbProcesses()).toEqual([]);
  });

  const dynamodbProcesses = () =>
    execFileSync('ps', ['-eo', 'pid=,args='], { encoding: 'utf8' })
      .split('\n')
      .filter((line) => line.includes(`process.cjs ${dataDir}/`))
      .map((line) => Number.parseInt(line, 10));
  const dynamodbProcess = () => dynamodbProcesses()[0] ?? Number.NaN;
  const until = async (holds: () => boolean) => {
    for (let i = 0; i < 200 && !holds(); i++) await sleep(20);
    expect(holds()).toBe(true);
  };
});

test('two stages can’t share a data folder', async () => {
  const stage = await start(withTable, { dataDir });
  expect(await failure(start(withTable, { dataDir }))).toMatch(/is in use by another stage/);
  await put(stage.dynamodbEndpoint, 1);
  await stage.stop();
});

test('a damaged data folder is named', async () => {
  await (await start(withTable, { dataDir })).stop();
  await writeFile(join(dataDir, 'dynamodb', 'CURRENT'), 'rubbish');
  expect(await failure(start(withTable, { dataDir }))).toMatch(
    /^The data folder .*dynamodb is damaged: remove it/,
  );
});

test('a data folder that can’t be made is named', async () => {
  await writeFile(join(dataDir, 'file'), '');
  const starting = start(withTable, { dataDir: join(dataDir, 'file') });
  expect(await failure(starting)).toMatch(/^The data folder .*file.* can't be used: set DATA_DIR/);
});

test('a data folder in a place that holds none is named, and soon', async () => {
  const message = await failure(start(withTable, { dataDir: '/proc/plants/a/b' }));
  expect(message).toMatch(/^The data folder \/proc\/plants\/a\/b\/dynamodb can't be .*: set DATA_DIR/);
});

test.each([
  ['its own', undefined],
  ['another', 'embedded'],
])('a HOST that is no address of this machine is named (with %s DynamoDB)', async (_, other) => {
  const owner = other && (await start({ functions: nothing, resources }));
  const dynamodbEndpoint = owner ? owner.dynamodbEndpoint : undefined;
  for (const host of ['nonsense.invalid', '192.0.2.1']) {
    const message = await failure(start(withTable, { dataDir, host, dynamodbEndpoint }));
    expect(message).toContain(`HOST must be an address of this machine, and is "${host}"`);
  }
  if (owner) await owner.stop();
});

test.each(['port', 'dynamodbPort'])('a busy %s is named, and nothing is left running', async (which) => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const busy = typeof address === 'object' && address !== null ? address.port : 0;
  const variable = which === 'port' ? 'PORT' : 'DYNAMODB_PORT';
  const message = await failure(start(withTable, { dataDir, [which]: busy })).finally(() => server.close());
  expect(message).toMatch(new RegExp(`port ${busy} is in use: set ${variable} to another`, 'i'));
  // The folder's lock is free again.
  await (await start(withTable, { dataDir })).stop();
});
