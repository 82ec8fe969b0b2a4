import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ListTablesCommand } from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { expect, test } from '@jest/globals';
import { codeOf } from '../../emulator/emulator-error.ts';
import { seededRandom } from '../../scripts/seeded-random.ts';
import { localDynamoDB } from '../../tokens/connect.ts';
import { tokenStore } from '../../tokens/token-store.ts';
import { issueToken } from '../../tokens/tokens.ts';
import { send } from '../support/http.ts';
import { plantsIn } from '../support/plants-in.ts';
import { synthesizedAssembly } from '../support/synthesized-assembly.ts';
import { startEmulatorProcess } from './emulator-process.ts';

const ROUNDS = 3;
const CLIENTS = 8;
const MAX_PLANTS_PER_ROUND = 150;
const ROUND_TIMEOUT_MS = 10_000;

const seed = Number(process.env.CRASH_SEED ?? Date.now());

test(`the emulator loses no acknowledged plant when it is killed under load (CRASH_SEED=${seed})`, async () => {
  const random = seededRandom(seed);
  const dataDir = await mkdtemp(join(tmpdir(), 'plant-store-crash-'));
  const acknowledged = new Map<string, string>();
  let token: string | undefined;
  for (let round = 1; round <= ROUNDS + 1; round += 1) {
    const { url, dynamodbEndpoint, kill } = await startEmulatorProcess(synthesizedAssembly(), dataDir);
    const dynamodb = localDynamoDB(dynamodbEndpoint);
    token ??= await newToken(dynamodb);
    const plants = await plantsIn(dynamodb);
    dynamodb.destroy();
    const lost = [...acknowledged].filter(([id, name]) => plants.get(id)?.name !== name);
    expect(lost.slice(0, 5)).toEqual([]);

    const before = acknowledged.size;
    const enough = before + Math.ceil(random() * MAX_PLANTS_PER_ROUND);
    const clients = Array.from({ length: CLIENTS }, (_, client) =>
      createUntilKilled(url, token ?? '', `${round}${client}`, acknowledged),
    );
    const deadline = Date.now() + ROUND_TIMEOUT_MS;
    while (acknowledged.size < enough && Date.now() < deadline) await sleep(1);
    await kill();
    await Promise.all(clients);
    expect(acknowledged.size).toBeGreaterThan(before);
  }
  await rm(dataDir, { recursive: true, force: true });
}, 90_000);

/** Sends one creation after another until the connection fails, and keeps those with status 200. */
async function createUntilKilled(
  url: string,
  token: string,
  prefix: string,
  acknowledged: Map<string, string>,
): Promise<void> {
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  for (let count = 0; ; count += 1) {
    const id = `${prefix}${String(count).padStart(7, '0')}`;
    const name = `plant ${id}`;
    try {
      const { status } = await send(url, { headers, body: `{"id":${id},"name":"${name}"}` });
      if (status === 200) acknowledged.set(id, name);
    } catch (error) {
      // A response that breaks the contract fails without a code.
      if (codeOf(error) === undefined) throw error;
      return;
    }
  }
}

async function newToken(dynamodb: DynamoDBDocumentClient): Promise<string> {
  const { TableNames = [] } = await dynamodb.send(new ListTablesCommand());
  const table = TableNames.find((name) => name.startsWith('Tokens')) ?? '';
  const expiresAt = Math.floor(Date.now() / 1000) + 86_400;
  return (await issueToken(tokenStore(dynamodb, table), { name: 'test', expiresAt })).text;
}
