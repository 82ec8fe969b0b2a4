import { setTimeout as sleep } from 'node:timers/promises';
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

/** Polls until the token is rejected, for at most 20 s. */
async function eventuallyUnauthorized(use: () => Promise<HttpResponse>): Promise<void> {
  let response = await use();
  for (let attempts = 100; response.status === 200 && attempts > 0; attempts -= 1) {
    await sleep(200);
    response = await use();
  }
  expect(response).toMatchObject(unauthorized);
}

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
    const second = await here.token('issue', 'laptop');
    const [, id = ''] = first.split('_');
    await here.token('revoke', id);

    await expect(here.use(first)).resolves.toMatchObject(unauthorized);
    await expect(here.use(second)).resolves.toMatchObject(created);
    expect(await here.token('list')).not.toContain(id);
    await here.token('revoke', 'laptop');
    await expect(here.use(second)).resolves.toMatchObject(unauthorized);
  });

  test('accepts a rotated token beside its successor during the overlap, and rejects it afterwards', async () => {
    const old = await here.token('issue', 'greenhouse');
    const next = await here.token('rotate', 'greenhouse', '--overlap', '1h');
    await expect(here.use(old)).resolves.toMatchObject(created);
    await expect(here.use(next)).resolves.toMatchObject(created);

    const last = await here.token('rotate', 'greenhouse', '--overlap', '1s');
    await eventuallyUnauthorized(() => here.use(old));
    await eventuallyUnauthorized(() => here.use(next));
    await expect(here.use(last)).resolves.toMatchObject(created);
  });

  test('rejects the old token at once when it is rotated with an overlap of 0s', async () => {
    const leaked = await here.token('issue', 'leaky');
    const next = await here.token('rotate', 'leaky', '--overlap', '0s');
    await expect(here.use(leaked)).resolves.toMatchObject(unauthorized);
    await expect(here.use(next)).resolves.toMatchObject(created);
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

  test('accepts a token without expiry, issued with --expires never', async () => {
    const { token: accessToken, expiresAt } = JSON.parse(
      await here.token('issue', 'perennial', '--expires', 'never', '--json'),
    );
    expect(expiresAt).toBeNull();
    await expect(here.use(accessToken)).resolves.toMatchObject(created);
  });

  test('returns the same response for a wrong secret and an unknown id', async () => {
    const accessToken = await here.token('issue', 'guessed');
    const wrong = await here.use(accessToken.replace(/[0-9a-f]{64}$/, '0'.repeat(64)));
    const unknown = await here.use(accessToken.replace(/_[0-9a-f]{16}_/, `_${'0'.repeat(16)}_`));

    expect(wrong).toMatchObject(unauthorized);
    expect(comparable(unknown)).toEqual(comparable(wrong));
  });
});

function comparable({ status, text, headers }: HttpResponse) {
  const {
    'x-amzn-requestid': _,
    'x-amz-apigw-id': __,
    'x-amzn-trace-id': ___,
    date: ____,
    ...rest
  } = headers;
  return { status, text, rest };
}

describe('the service with an authorizer cache', () => {
  test.each([
    ['accepts a revoked token while its result is cached', 3600, expectCreated],
    ['rejects a revoked token once its cached result has expired', 1, eventuallyUnauthorized],
  ])('%s', async (_, cacheSeconds, expectOutcome) => {
    const here = await startCachingService(cacheSeconds);
    try {
      const accessToken = await here.token('issue', 'ci');
      await expectCreated(() => here.use(accessToken));
      await here.token('revoke', 'ci');

      await expectOutcome(() => here.use(accessToken));
    } finally {
      await here.stop();
    }
  });
});

async function expectCreated(use: () => Promise<HttpResponse>): Promise<void> {
  expect(await use()).toMatchObject(created);
}
