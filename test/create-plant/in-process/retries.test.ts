// The tests of lambda/shared/dynamodb/client.ts and plants-table.ts cover a DynamoDB that keeps failing.
import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { plantsTable } from '../../../lambda/create-plant/plants-table.ts';
import { dynamodbClient } from '../../../lambda/shared/dynamodb/client.ts';
import {
  type DynamodbInMemory,
  startDynamodbInMemory,
} from '../../support/servers/dynamodb-in-memory.ts';
import {
  type Fault,
  type FaultProxy,
  startFaultProxy,
  weightedFaults,
} from '../../support/servers/failing-proxy.ts';

let store: DynamodbInMemory;
let proxy: FaultProxy;
let client: ReturnType<typeof dynamodbClient>;
let id = 0n;
beforeAll(async () => {
  store = await startDynamodbInMemory('Plants', 'N');
  proxy = await startFaultProxy(process.env.AWS_ENDPOINT_URL_DYNAMODB ?? '');
  process.env.AWS_ENDPOINT_URL_DYNAMODB = proxy.url;
  client = dynamodbClient();
});
afterAll(async () => {
  client.destroy();
  await proxy.stop();
  await store.stop();
});

/** Puts a new plant. Each fault in `script` applies to one request to DynamoDB; later requests succeed. */
async function putWhile(...script: Fault[]) {
  const before = proxy.faults.length;
  proxy.decide = () => script.shift() ?? 'none';
  id += 1n;
  const plant = { id, name: 'Ficus' };
  const outcome = await plantsTable(client, 'Plants')(plant);
  return { outcome, calls: proxy.faults.length - before, name: await storedName() };
}

async function storedName(): Promise<string | undefined> {
  const get = new GetItemCommand({ TableName: 'Plants', Key: { id: { N: `${id}` } } });
  return (await store.client.send(get)).Item?.name?.S;
}

const faults = weightedFaults.map(([fault]) => fault);
const applied = faults.filter((fault) => fault.startsWith('applied'));
const rejected = faults.filter((fault) => /^(throttled|above|failed|reset)/.test(fault));

describe('plantsTable, when DynamoDB fails once,', () => {
  test.each(rejected)(
    'creates the plant on a second attempt after the fault "%s"',
    async (fault) => {
      await expect(putWhile(fault)).resolves.toMatchObject({ outcome: 'created', calls: 2 });
    },
  );

  test.each(applied)(
    'returns duplicate for the plant that its own first attempt stored, after the fault "%s"',
    async (fault) => {
      await expect(putWhile(fault)).resolves.toMatchObject({ outcome: 'duplicate', calls: 2 });
    },
  );

  test('creates the plant on a second attempt if the first stalls and is applied later', async () => {
    const put = await putWhile('stalled, then applied');
    await proxy.settled();
    expect(put).toMatchObject({ outcome: 'created', calls: 2, name: 'Ficus' });
    await expect(storedName()).resolves.toBe('Ficus');
  });
});
