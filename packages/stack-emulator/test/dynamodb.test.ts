import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { callDynamoDB } from '../dynamodb/call-dynamodb.ts';
import { announceEmulator, startEmbeddedDynamoDB } from '../index.ts';
import { writeAssembly } from './fixtures/assembly.ts';
import { startTestEmulator, type TestEmulator } from './fixtures/emulator.ts';
import { send } from './fixtures/http.ts';
import { stackOf, table } from './fixtures/resources.ts';

const global = { ...table('id', 'S', { byName: 'name' }), Type: 'AWS::DynamoDB::GlobalTable' };
const withTables = (Plants = table('id', 'N')) => stackOf({ Plants, Tokens: global });

let emulator: TestEmulator;
beforeAll(async () => {
  emulator = await startTestEmulator(withTables());
});
afterAll(() => emulator.stop());

const openPorts = () =>
  process.getActiveResourcesInfo().filter((name) => name === 'TCPServerWrap').length;
const put = (id: number) =>
  callDynamoDB(emulator.dynamodbEndpoint, 'PutItem', {
    TableName: 'Plants',
    Item: { id: { N: String(id) } },
  });
const has = async (id: number) =>
  'Item' in
  (await callDynamoDB(emulator.dynamodbEndpoint, 'GetItem', {
    TableName: 'Plants',
    Key: { id: { N: String(id) } },
  }));

test('creates the template’s tables with their keys and indexes', async () => {
  const { Table } = await callDynamoDB(emulator.dynamodbEndpoint, 'DescribeTable', {
    TableName: 'Tokens',
  });
  expect(Table).toMatchObject({
    TableStatus: 'ACTIVE',
    GlobalSecondaryIndexes: [{ IndexName: 'byName' }],
  });
});

test.each([
  ['the key id (S, HASH)', table('id', 'S')],
  ['the index byTag with the key tag (S, HASH)', table('id', 'N', { byTag: 'tag' })],
])('rejects a template that gives an existing table %s', async (missing, plants) => {
  const assembly = await writeAssembly(withTables(plants));
  await expect(emulator.run({ assembly })).rejects.toThrow(
    `The existing table Plants does not have ${missing}, which the stack now defines. The emulator cannot change tables: `,
  );
  await rm(assembly, { recursive: true });
});

// in-process/reject-websites.test.ts lists the accepted host names.
test.each<[from: string, status: number, id: number, headers: Readonly<Record<string, string>>]>([
  ['a client', 200, 11, {}],
  ['a website', 403, 12, { Origin: 'https://a.b' }],
  ['a website whose name resolves to this machine', 403, 13, { Host: 'evil.example:8000' }],
])('responds to a write from %s with %d', async (_, status, id, headers) => {
  const response = await send(emulator.dynamodbEndpoint, '/', {
    method: 'POST',
    headers: {
      Authorization: 'AWS4-HMAC-SHA256 Credential=x, SignedHeaders=x, Signature=x',
      'Content-Type': 'application/x-amz-json-1.0',
      'X-Amz-Date': 'x',
      'X-Amz-Target': 'DynamoDB_20120810.PutItem',
      ...headers,
    },
    body: JSON.stringify({ TableName: 'Plants', Item: { id: { N: String(id) } } }),
  });
  expect(response.status).toBe(status);
  expect(response.headers).not.toHaveProperty('access-control-allow-origin');
  expect(await has(id)).toBe(status === 200);
});

test('keeps DynamoDB and the API running when clients disconnect in the middle of a request', async () => {
  const { url, dynamodbEndpoint } = emulator;
  for (const endpoint of [...Array(5).fill(dynamodbEndpoint), url]) {
    const { hostname, port } = new URL(endpoint);
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    // Once the server asks for the body, it has read the headers.
    socket.write(
      'POST / HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: 100\r\n\r\nhalf',
    );
    await once(socket, 'data');
    socket.resetAndDestroy();
  }
  await put(21);
  expect(await has(21)).toBe(true);
  expect((await send(url, '/')).status).toBe(403);
});

test('creates the tables in the DynamoDB at DYNAMODB_ENDPOINT, if that is set', async () => {
  const { dynamodbEndpoint } = emulator;
  const guest = await startTestEmulator(stackOf({ Guests: table('id', 'N') }), {
    dynamodbEndpoint,
  });
  expect(guest.dynamodbEndpoint).toBe(dynamodbEndpoint);
  await callDynamoDB(dynamodbEndpoint, 'DescribeTable', { TableName: 'Guests' });
  await guest.stop();
});

test.each<[string, () => string]>([
  ['has no scheme', () => 'localhost:8000'],
  ['is not DynamoDB', () => emulator.url],
])('does not start, and frees its port, when DYNAMODB_ENDPOINT %s', async (_, endpoint) => {
  const before = openPorts();
  const starting = startTestEmulator(withTables(), { dynamodbEndpoint: endpoint() });
  await expect(starting).rejects.toThrow(`No DynamoDB responds at ${endpoint()} (`);
  expect(openPorts()).toBe(before);
});

test('does not start when HOST is not an address of this machine', async () => {
  await expect(startTestEmulator(withTables(), { host: '192.0.2.1' })).rejects.toThrow(
    /^Port 0 cannot be opened on 192\.0\.2\.1 \(.*\): change HOST or PORT\nDynamoDB's port 0 cannot be .* change HOST or DYNAMODB_PORT$/,
  );
});

test('starts no DynamoDB and announces no emulator when the data folder cannot be created', async () => {
  const dataDir = '/dev/null/data';
  const cannotBeUsed =
    /^The data folder .* cannot be used \(.*ENOTDIR.*\): set DATA_DIR to another folder$/;
  await expect(startEmbeddedDynamoDB(dataDir, '127.0.0.1', 0)).rejects.toThrow(cannotBeUsed);
  await expect(announceEmulator(dataDir, emulator)).rejects.toThrow(cannotBeUsed);
});
