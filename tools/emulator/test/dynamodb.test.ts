import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { callDynamoDB } from '../dynamodb/client.ts';
import { EmulatorError } from '../index.ts';
import { writeAssembly } from './fixtures/assembly.ts';
import { startTestEmulator, type TestEmulator } from './fixtures/emulator.ts';
import { send } from './fixtures/http.ts';
import { arnOf, method, resource, restApi, table } from './fixtures/resources.ts';

const nothing = { Nothing: `exports.handler = async () => ({ statusCode: 200 });` };
const resources = { ...restApi(), ...method('nothing', 'GET', arnOf('Nothing')) };
const withTable = { functions: nothing, resources: { ...resources, Plants: table('id', 'N') } };

let dataDir: string;
const emulators: TestEmulator[] = [];
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'emulator-data-'));
});
afterEach(async () => {
  await Promise.all(emulators.splice(0).map((emulator) => emulator.stop()));
  await rm(dataDir, { recursive: true, force: true });
});

/** An emulator that stops after its test, even if that fails. */
async function start(...options: Parameters<typeof startTestEmulator>): Promise<TestEmulator> {
  const emulator = await startTestEmulator(...options);
  emulators.push(emulator);
  return emulator;
}

const signed = {
  Authorization: 'AWS4-HMAC-SHA256 Credential=x, SignedHeaders=x, Signature=x',
  'Content-Type': 'application/x-amz-json-1.0',
  'X-Amz-Date': 'x',
};
const put = (endpoint: string, id: number) =>
  callDynamoDB(endpoint, 'PutItem', { TableName: 'Plants', Item: { id: { N: String(id) } } });
const count = async (endpoint: string) =>
  (await callDynamoDB(endpoint, 'Scan', { TableName: 'Plants', Select: 'COUNT' })).Count;

/** The message of a start that fails. */
async function failure(starting: Promise<TestEmulator>): Promise<string> {
  const error = await starting.then(
    (emulator) => emulator.stop().then(() => 'it started'),
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(EmulatorError);
  return error instanceof Error ? error.message : String(error);
}

test('creates the tables of the template with their keys and indexes, and keeps their items over a restart', async () => {
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

test('fails the start when the template has changed the key of a table', async () => {
  await (await start(withTable, { dataDir })).stop();
  const changed = { functions: nothing, resources: { ...resources, Plants: table('id', 'S') } };
  expect(await failure(start(changed, { dataDir }))).toMatch(
    /^The table Plants has the key id \(N, HASH\), but the template has id \(S, HASH\)/,
  );
});

test('fails the start when the template has added an index to a table that exists', async () => {
  await (await start(withTable, { dataDir })).stop();
  const indexed = table('id', 'N', { byTag: 'tag' });
  const changed = { functions: nothing, resources: { ...resources, Plants: indexed } };
  expect(await failure(start(changed, { dataDir }))).toMatch(
    /^The table Plants exists without the index byTag.*another DATA_DIR/,
  );
});

// Which names it accepts is in tools/emulator/test/in-process/guard.test.ts.
test('accepts clients, and rejects websites and names that they made resolve to this machine', async () => {
  const { dynamodbEndpoint } = await start(withTable, { dataDir });
  /** The status of a request that writes the plant, and the origin that its response allows. */
  const putFrom = async (plant: string, headers: Record<string, string>, method = 'POST') => {
    const target = { ...signed, 'X-Amz-Target': 'DynamoDB_20120810.PutItem' };
    const body = JSON.stringify({ TableName: 'Plants', Item: { id: { N: plant } } });
    const response = await send(dynamodbEndpoint, '/', { method, headers: { ...target, ...headers }, body });
    return [response.status, response.headers['access-control-allow-origin']];
  };
  const Origin = 'https://evil.example';
  expect(await putFrom('1', {})).toEqual([200, undefined]);
  expect(await putFrom('2', { Origin })).toEqual([403, undefined]);
  expect(await putFrom('3', { Host: 'evil.example:8000' })).toEqual([403, undefined]);
  const preflight = { Origin, 'Access-Control-Request-Method': 'POST' };
  expect(await putFrom('4', preflight, 'OPTIONS')).toEqual([403, undefined]);
  expect(await count(dynamodbEndpoint)).toBe(1);
});

test('keeps DynamoDB running when clients disconnect in the middle of a request', async () => {
  const emulator = await start(withTable, { dataDir });
  const { hostname, port } = new URL(emulator.dynamodbEndpoint);
  for (let i = 0; i < 5; i++) {
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nhalf');
    await new Promise((resolve) => setTimeout(resolve, 10));
    socket.resetAndDestroy();
  }
  await put(emulator.dynamodbEndpoint, 1);
  expect(await count(emulator.dynamodbEndpoint)).toBe(1);
  await emulator.stop();
});

test.each(['null', '{"TableName":"Plants","Item":{"id":{"N":"1"},"tags":{"SS":[null]}}}'])(
  'rejects the malformed command %s, and runs on',
  async (body) => {
    const { dynamodbEndpoint } = await start(withTable, { dataDir });
    const headers = { ...signed, 'X-Amz-Target': 'DynamoDB_20120810.PutItem' };
    await expect(send(dynamodbEndpoint, '/', { method: 'POST', headers, body })).resolves.toMatchObject({
      status: 400,
      text: '{"__type":"com.amazon.coral.service#SerializationException"}',
    });
    await put(dynamodbEndpoint, 1);
    expect(await count(dynamodbEndpoint)).toBe(1);
  },
);

test('creates the tables in the DynamoDB of DYNAMODB_ENDPOINT instead', async () => {
  const owner = await start({ functions: nothing, resources }, { dataDir });
  const guest = await start(withTable, { dynamodbEndpoint: owner.dynamodbEndpoint });
  expect(guest.dynamodbEndpoint).toBe(owner.dynamodbEndpoint);
  await put(owner.dynamodbEndpoint, 1);
  await Promise.all([guest.stop(), owner.stop()]);
  const gone = start(withTable, { dynamodbEndpoint: owner.dynamodbEndpoint });
  expect(await failure(gone)).toMatch(
    /^No DynamoDB responds at http.*change DYNAMODB_ENDPOINT .*ECONNREFUSED/,
  );
});

test('fails the start when DYNAMODB_ENDPOINT is not a URL', async () => {
  const message = await failure(start(withTable, { dynamodbEndpoint: 'localhost' }));
  expect(message).toMatch(/^No DynamoDB responds at localhost: .*change DYNAMODB_ENDPOINT/);
});

test('fails the start when DYNAMODB_ENDPOINT is another server', async () => {
  const owner = await start({ functions: nothing, resources }, { dataDir });
  const message = await failure(start(withTable, { dynamodbEndpoint: owner.url }));
  expect(message).toContain(`No DynamoDB responds at ${owner.url}: `);
});

test('stops the emulator with one line in the log when DynamoDB ends', async () => {
  const assembly = await writeAssembly(withTable);
  const script = join(import.meta.dirname, 'fixtures', 'run-emulator.ts');
  // DynamoDB's thread is the first that the emulator starts.
  const terminator = `process.once('worker', (dynamodb) => process.on('SIGUSR2', () => dynamodb.terminate()))`;
  const preload = `data:text/javascript,${encodeURIComponent(terminator)}`;
  const child = spawn(process.execPath, ['--import', preload, script, assembly, dataDir]);
  const exited = once(child, 'close');
  let log = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    log += text;
  });
  await once(createInterface({ input: child.stdout }), 'line');
  child.kill('SIGUSR2');
  await exited;
  await rm(assembly, { recursive: true });

  expect(log).toBe('The embedded DynamoDB ended (its thread ended): start the emulator again\n');
});

test('does not crash the process when an embedded DynamoDB stops', () => {
  const module = join(import.meta.dirname, '../dynamodb/embedded.ts');
  const options = { dataDir, host: '127.0.0.1', port: 0 };
  const script = `
    import { startEmbeddedDynamoDB } from ${JSON.stringify(pathToFileURL(module))};
    for (let i = 0; i < 25; i += 1) await (await startEmbeddedDynamoDB(${JSON.stringify(options)})).stop();`;
  const { status, signal } = spawnSync(process.execPath, ['--input-type=module', '-e', script]);
  expect({ status, signal }).toEqual({ status: 0, signal: null });
});

test('fails the start when HOST is not an address of this machine', async () => {
  const message = await failure(start(withTable, { dataDir, host: '192.0.2.1' }));
  expect(message).toMatch(/^Port 0 cannot be opened on 192\.0\.2\.1: set HOST or PORT to another \(.*\)$/m);
  expect(message).toMatch(/^DynamoDB's port 0 cannot be opened on 192\.0\.2\.1: set HOST or DYNAMODB_PORT/m);
});
