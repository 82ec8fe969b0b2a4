import { beforeAll, describe, expect, test } from '@jest/globals';
import { mintAccessToken } from '../../../lambda/shared/tokens/access-token.ts';
import { read } from '../../../test/support/pages/code-blocks.ts';
import { type Service, startTestService } from '../../../test/support/service/service.ts';
import { INVALID_BODY } from '../../contract/example-requests.ts';
import { runToken } from '../run-token.ts';
import { revokeToken } from '../token-lifecycle.ts';
import { tableIn } from '../tokens-table.ts';

let service: Service;
beforeAll(async () => {
  service = await startTestService();
});

const output = (...args: string[]) => runToken([...args, '--local'], { DATA_DIR: service.dataDir });
const token = async (...args: string[]) => (await output(...args)).stdout;

/** Sends a request with this access token that changes nothing. */
const use = (accessToken: string) => service.send({ token: accessToken, body: INVALID_BODY });

const table = () => tableIn(service.dynamodb, service.emulator.outputs.TokensTableName ?? '');

const exists = async (id: string) => (await table().all()).some((item) => item.id === id);

async function putToken(client: string): Promise<string> {
  const { id, hash } = mintAccessToken();
  await table().add({ id, hash, client, issuedAt: 1_800_000_000 });
  return id;
}

const accepted = { status: 400, body: { error: 1002 } };
const unauthorized = { status: 401, body: { error: 2401 } };

// The authorizer's results are cached, so no token is used before it ends.
describe('the service', () => {
  test('rejects a revoked token, and accepts the same client’s other token', async () => {
    const first = await token('issue', 'laptop');
    const second = await token('issue', 'laptop', '--expires', 'never');
    const [, id = ''] = first.split('_');
    await token('revoke', id);

    await expect(use(first)).resolves.toMatchObject(unauthorized);
    await expect(use(second)).resolves.toMatchObject(accepted);
    expect(await token('list')).not.toContain(id);
  });

  test('accepts an old token and its successor during the overlap', async () => {
    const old = await token('issue', 'greenhouse');
    const next = await token('rotate', 'greenhouse', '--overlap', '1h');
    await expect(use(old)).resolves.toMatchObject(accepted);
    await expect(use(next)).resolves.toMatchObject(accepted);
  });

  test('rejects an old token at once without an overlap, and a token that is revoked by its client', async () => {
    const old = await token('issue', 'shed');
    const next = await token('rotate', 'shed', '--overlap', '0s');
    await expect(use(old)).resolves.toMatchObject(unauthorized);
    await token('revoke', 'shed');
    await expect(use(next)).resolves.toMatchObject(unauthorized);
  });

  test('does not extend the lifetime of an old token when it is rotated', async () => {
    await token('issue', 'brief', '--expires', '1h');
    const before = await token('list');
    const { stderr } = await output('rotate', 'brief', '--overlap', '24h');

    const [line = ''] = before.match(/.*"brief".*/) ?? [];
    const { id, expiresAt } = JSON.parse(line);
    expect(stderr).toContain(`Old tokens: "${id}" (expires ${expiresAt}).`);
    expect(await token('list')).toContain(line);
  });

  test('ends an old token after 24 hours by default, even one that never expires', async () => {
    const [, id] = (await token('issue', 'eternal', '--expires', 'never')).split('_');
    await token('rotate', 'eternal');
    const old = (await table().all()).find((item) => item.id === id);
    expect(Number(old?.expiresAt) - Date.now() / 1000).toBeCloseTo(86_400, -2);
  });

  test('gives the successor the lifetime of rotate --expires', async () => {
    await token('issue', 'short');
    await token('rotate', 'short', '--overlap', '0s', '--expires', '2h');
    const { issuedAt, expiresAt } = JSON.parse(
      (await token('list')).match(/.*"short".*/)?.[0] ?? '',
    );
    expect(Date.parse(expiresAt) - Date.parse(issuedAt)).toBe(2 * 3_600_000);
  });

  test('does not list an expired token that DynamoDB has not deleted yet', async () => {
    const { id, hash } = mintAccessToken();
    const expiresAt = Math.floor(Date.now() / 1000) - 1;
    await table().add({ id, hash, client: 'late', issuedAt: expiresAt - 60, expiresAt });
    expect(await exists(id)).toBe(true);
    expect(await token('list')).not.toContain(id);
  });
});

test('rotate does not create an old token again that somebody has just revoked', async () => {
  await table().expireBy('revoked', 1_900_000_000);
  expect(await exists('revoked')).toBe(false);
});

test('revoke deletes a token by its id even if the table cannot be read', async () => {
  const id = await putToken('leaky');
  const all = () => Promise.reject(new Error('not a single item can be read'));
  await revokeToken({ ...table(), all }, id);
  expect(await exists(id)).toBe(false);
});

test('docs/runbook.md lists tokens by attributes that the table’s items have', async () => {
  const page = read('docs/runbook.md');
  const [, listed = ''] = /Items\[\]\.\[(.+)\]/.exec(page) ?? [];
  await token('issue', 'runbook');
  const item = (await table().all()).find(({ client }) => client === 'runbook');
  expect(item).toMatchObject(
    Object.fromEntries(listed.split(',').map((path) => [path.split('.')[0], expect.anything()])),
  );
});

test('list and revoke print control characters in a client as JSON escapes, on one line', async () => {
  const client = '"ci\n0123456789abcdef  forged\r\u001b[2J\u009b2J\u202e';
  const escapes = '"\\"ci\\n0123456789abcdef  forged\\r\\u001b[2J\\u009b2J\\u202e"';
  const id = await putToken(client);
  expect((await token('list')).split('\n')).toContainEqual(
    expect.stringContaining(
      `{"id":"${id}","client":${escapes},"issuedAt":"2027-01-15T08:00:00Z","expiresAt":null}`,
    ),
  );
  expect(await token('revoke', id)).toBe(`Revoked the token "${id}" of the client ${escapes}.`);
});
