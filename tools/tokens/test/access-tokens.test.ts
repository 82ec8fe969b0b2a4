import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { announceEmulator } from '@plant-store/emulator';
import { type ChangedAssembly, changedAssembly } from '../../../test/support/changed-assembly.ts';
import type { HttpResponse } from '../../../test/support/http.ts';
import { type Service, startService } from '../../../test/support/service.ts';
import { run } from '../cli.ts';
import { tokenStore } from '../token-store.ts';
import { issueToken } from '../tokens.ts';

/** The service with another TTL of the authorizer cache. */
interface CachingService {
  readonly service: Service;
  /** Runs a token command with `--local` and returns its output. */
  token(...args: string[]): Promise<string>;
  /** Creates a plant with this access token. */
  use(accessToken: string): Promise<HttpResponse>;
  stop(): Promise<void>;
}

async function startCachingService(cacheSeconds: number): Promise<CachingService> {
  const assembly: ChangedAssembly = await changedAssembly((find) => {
    for (const { Properties } of find('AWS::ApiGateway::Authorizer')) {
      Properties.AuthorizerResultTtlInSeconds = cacheSeconds;
    }
  });
  const service = await startService({ assembly: assembly.folder });
  await announceEmulator(service.dataDir, service.emulator);
  return {
    service,
    token: async (...args) => (await run([...args, '--local'], { DATA_DIR: service.dataDir })).stdout,
    use: (accessToken) =>
      service.send({
        headers: { Authorization: `Bearer ${accessToken}`, 'Content-Type': 'application/json' },
        body: '{"id":1,"name":"Ficus"}',
      }),
    stop: async () => {
      await service.stop();
      await assembly.remove();
    },
  };
}

const created = { status: 200, body: { name: 'Ficus' } };
const unauthorized = { status: 401, body: { error: 2401 } };

describe('the service without an authorizer cache', () => {
  let here: CachingService;
  beforeAll(async () => {
    here = await startCachingService(0);
  });
  afterAll(() => here.stop());

  test('accepts a token as soon as it is issued, and lists it without its secret or hash', async () => {
    const accessToken = await here.token('issue', 'ci');
    await expect(here.use(accessToken)).resolves.toMatchObject(created);

    const [, id = '', secret = ''] = accessToken.split('_');
    const list = await here.token('list');
    expect(list).toMatch(new RegExp(`^${id}  ci +\\S+Z  \\S+Z$`, 'm'));
    expect(list).not.toContain(secret);
    expect(list).not.toMatch(/[0-9a-f]{64}/);
  });

  test('rejects a revoked token, and accepts another one of the same client', async () => {
    const first = await here.token('issue', 'laptop');
    const second = await here.token('issue', 'laptop', '--expires', 'never');
    const [, id = ''] = first.split('_');
    await here.token('revoke', id);

    await expect(here.use(first)).resolves.toMatchObject(unauthorized);
    await expect(here.use(second)).resolves.toMatchObject(created);
    expect(await here.token('list')).not.toContain(id);
    await here.token('revoke', 'laptop');
    await expect(here.use(second)).resolves.toMatchObject(unauthorized);
  });

  test('accepts a rotated token beside its successor during the overlap, and rejects it at once without one', async () => {
    const old = await here.token('issue', 'greenhouse');
    const next = await here.token('rotate', 'greenhouse', '--overlap', '1h');
    await expect(here.use(old)).resolves.toMatchObject(created);
    await expect(here.use(next)).resolves.toMatchObject(created);

    const last = await here.token('rotate', 'greenhouse', '--overlap', '0s');
    await expect(here.use(old)).resolves.toMatchObject(unauthorized);
    await expect(here.use(next)).resolves.toMatchObject(unauthorized);
    await expect(here.use(last)).resolves.toMatchObject(created);
  });

  test('does not extend the life of an old token when it is rotated', async () => {
    await here.token('issue', 'brief', '--expires', '1h');
    const before = JSON.parse(await here.token('list', '--json'));
    const { replaced } = JSON.parse(await here.token('rotate', 'brief', '--overlap', '24h', '--json'));

    const [{ id, expiresAt }] = before.filter(({ name }: { name: string }) => name === 'brief');
    expect(replaced).toMatchObject([{ id, expiresAt }]);
    const after = JSON.parse(await here.token('list', '--json'));
    expect(after).toContainEqual(expect.objectContaining({ id, expiresAt }));
  });

  test('rejects an expired token that DynamoDB has not deleted yet, and does not list it', async () => {
    const { dynamodb, emulator } = here.service;
    const TableName = emulator.outputs.TokensTableName ?? '';
    const expiresAt = Math.floor(Date.now() / 1000) - 1;
    const { text: accessToken } = await issueToken(tokenStore(dynamodb, TableName), {
      name: 'late',
      expiresAt,
    });
    const [, id = ''] = accessToken.split('_');

    await expect(here.use(accessToken)).resolves.toMatchObject(unauthorized);
    const { Item } = await dynamodb.send(new GetCommand({ TableName, Key: { id } }));
    expect(Item).toMatchObject({ id, expiresAt });
    expect(await here.token('list')).not.toContain(id);
  });
});

// How long a result is cached is in tools/emulator/test/in-process/authorizer.test.ts.
test('the service with an authorizer cache accepts a revoked token while its result is cached', async () => {
  const here = await startCachingService(3600);
  const accessToken = await here.token('issue', 'ci');
  await expect(here.use(accessToken)).resolves.toMatchObject(created);
  await here.token('revoke', 'ci');
  const afterwards = await here.use(accessToken);
  await here.stop();
  expect(afterwards).toMatchObject(created);
});
