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

  test('revokes the token of a client that is named like an id if no token has that id', async () => {
    const name = '0123456789abcdef';
    const id = await putToken(name);
    expect((await token('revoke', name)).stdout).toBe(`revoked the token ${id} of ${name}`);
    expect(await exists(id)).toBe(false);
  });

  test('deletes a malformed item by its id', async () => {
    const id = 'fedcba9876543210';
    await put({ id, hash: 5 });
    const { stdout } = await token('revoke', id, '--json');
    expect(JSON.parse(stdout)).toEqual({ id });
    expect(await exists(id)).toBe(false);

    await put({ id, hash: 5 });
    expect((await token('revoke', id)).stdout).toBe(`deleted the item ${id}, which was not a token record`);
  });
});

test('list, list --json and revoke print a name with control characters as JSON escapes, in one line', async () => {
  const name = 'ci\n0123456789abcdef  forged\r\u001b[2J\u009b2J\u202e';
  const escapes = 'ci\\n0123456789abcdef  forged\\r\\u001b[2J\\u009b2J\\u202e';
  const id = await putToken(name);
  const { stdout: list } = await token('list');
  const { stdout: json } = await token('list', '--json');
  const { stdout: revoked } = await token('revoke', id);
  expect(list.split('\n').filter((line) => line.includes('forged'))).toEqual([
    expect.stringContaining(`${id}  ${escapes}  `),
  ]);
  expect(JSON.parse(json)).toContainEqual(expect.objectContaining({ id, name }));
  expect(revoked).toBe(`revoked the token ${id} of ${escapes}`);
  for (const text of [list, json]) expect(text).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u);
});

describe('with malformed items in the tokens table', () => {
  const { hash } = mintAccessToken();
  const malformed = [
    { id: 'no-fields' },
    { id: 'no-name', hash, issuedAt: 1 },
    { id: 'bad-hash', name: 'x', hash: 'abc', issuedAt: 1 },
    { id: 'bad-time', name: 'x', hash, issuedAt: 1e13 },
    { id: 'big-time', name: 'x', hash, issuedAt: 2n ** 70n },
    { id: 'bad-expiry', name: 'x', hash, issuedAt: 1, expiresAt: 'soon' },
    { id: 'two\nlines, \u009b2J', name: 'x', hash, issuedAt: 1 / 4, expiresAt: null },
  ];
  beforeAll(async () => {
    for (const item of malformed) await put(item);
  });

  const expectWarning = (stderr = '') => {
    const [warning, ...others] = stderr.split('\n').filter((line) => line.startsWith('warning: '));
    expect(others).toEqual([]);
    expect(warning).toMatch(/^warning: skipped items of the tokens table that are not token records; delete/);
    for (const { id } of malformed)
      expect(warning).toContain(JSON.stringify(id).replace('\u009b', '\\u009b'));
    return stderr.trimEnd().split('\n').length;
  };

  test('list lists the tokens, and names the malformed items in one line', async () => {
    const id = await putToken('listed');
    const { stdout, stderr } = await token('list');
    expect(expectWarning(stderr)).toBe(1);
    expect(stdout).toContain(`${id}  listed`);
    for (const item of malformed) expect(stdout).not.toContain(item.id);
  });

  test('list --json prints only JSON on stdout', async () => {
    const { stdout, stderr } = await token('list', '--json');
    expect(JSON.parse(stdout)).toBeInstanceOf(Array);
    expectWarning(stderr);
  });

  test('revoke revokes a token by name, and names the malformed items in one line', async () => {
    const id = await putToken('revoked');
    const { stdout, stderr } = await token('revoke', 'revoked');
    expect([stdout, expectWarning(stderr)]).toEqual([`revoked the token ${id} of revoked`, 1]);
  });

  test('rotate rotates a token, and names the malformed items in one line', async () => {
    const id = await putToken('rotated');
    const { stdout, stderr } = await token('rotate', 'rotated');
    expect(expectWarning(stderr)).toBe(2);
    expect(stdout).toMatch(/^plantstore_/);
    expect(stderr).toContain(`Replaced: ${id}`);
  });

  test('a name that only malformed items have is unknown', async () => {
    await expect(token('revoke', 'x')).rejects.toThrow(/no token has the name or id "x"/);
  });
});
