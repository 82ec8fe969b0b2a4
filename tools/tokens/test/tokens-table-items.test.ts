import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { announceEmulator } from '@plant-store/emulator';
import { mintAccessToken } from '../../../lambda/shared/tokens/access-token.ts';
import { type FaultProxy, startFaultProxy } from '../../../test/support/fault-proxy.ts';
import { type Service, startService } from '../../../test/support/service.ts';
import { run } from '../cli.ts';

let service: Service;
let proxy: FaultProxy;
/** Of the commands to DynamoDB. */
const operations: string[] = [];
beforeAll(async () => {
  service = await startService();
  proxy = await startFaultProxy(service.emulator.dynamodbEndpoint);
  proxy.decide = (operation) => {
    operations.push(operation);
    return 'none';
  };
  await announceEmulator(service.dataDir, { ...service.emulator, dynamodbEndpoint: proxy.url });
});
beforeEach(() => {
  operations.length = 0;
});
afterAll(async () => {
  await proxy.stop();
  await service.stop();
});

/** Runs a token command. */
const token = (...args: string[]) => run([...args, '--local'], { DATA_DIR: service.dataDir });

const tableName = () => service.emulator.outputs.TokensTableName ?? '';

async function put(item: Record<string, unknown>): Promise<void> {
  await service.dynamodb.send(new PutCommand({ TableName: tableName(), Item: item }));
}

async function exists(id: string): Promise<boolean> {
  const get = new GetCommand({ TableName: tableName(), Key: { id }, ConsistentRead: true });
  return (await service.dynamodb.send(get)).Item !== undefined;
}

async function putToken(name: string): Promise<string> {
  const { id, hash } = mintAccessToken();
  await put({ id, hash, name, issuedAt: 1_800_000_000 });
  return id;
}

describe('revoke', () => {
  test('deletes the token with an id, without a scan, although a client is named like that id', async () => {
    const leaked = await putToken('leaky');
    const namesake = await putToken(leaked);

    expect((await token('revoke', leaked)).stdout).toBe(`revoked the token ${leaked} of leaky`);
    expect(operations).toEqual(['DeleteItem']);
    expect([await exists(leaked), await exists(namesake)]).toEqual([false, true]);
  });

  test('deletes a malformed item by its id', async () => {
    const id = 'fedcba9876543210';
    await put({ id, hash: 5 });
    expect((await token('revoke', id)).stdout).toBe(`deleted the item ${id}, which was not a token record`);
    expect(await exists(id)).toBe(false);
  });
});

test('list and revoke print a name with control characters as JSON escapes, in one line', async () => {
  const name = 'ci\n0123456789abcdef  forged\r\u001b[2J\u009b2J\u202e';
  const escapes = 'ci\\n0123456789abcdef  forged\\r\\u001b[2J\\u009b2J\\u202e';
  const id = await putToken(name);
  const { stdout: list } = await token('list');
  const { stdout: revoked } = await token('revoke', id);
  expect(list.split('\n').filter((line) => line.includes('forged'))).toEqual([
    expect.stringContaining(`${id}  ${escapes}  `),
  ]);
  expect(revoked).toBe(`revoked the token ${id} of ${escapes}`);
  expect(list).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u);
});

test('list leaves out malformed items, and says on stderr how many, even with --json', async () => {
  const id = await putToken('listed');
  await put({ id: 'malformed', name: 'x', hash: 'abc', issuedAt: 1 });
  await put({ id: 'nameless', hash: 'abc', issuedAt: 1 });
  const stderr =
    'warning: malformed items in the tokens table, which are not listed: 2; delete them in DynamoDB';
  const lists = [await token('list'), await token('list', '--json')];
  expect(lists.map((output) => output.stderr)).toEqual([stderr, stderr]);
  for (const { stdout } of lists) {
    expect(stdout).toContain(id);
    expect(stdout).not.toMatch(/malformed|nameless/);
  }
});
