import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { expect, test } from '@jest/globals';
import { send } from '../../../../test/support/http.ts';
import { plantsIn } from '../../../../test/support/plants-in.ts';
import { synthesizedAssembly } from '../../../../test/support/synthesized-assembly.ts';
import { localDynamoDB } from '../../../tokens/connect.ts';
import { tokenStore } from '../../../tokens/token-store.ts';
import { issueToken } from '../../../tokens/tokens.ts';
import { codeOf } from '../../emulator-error.ts';
import { startEmulatorProcess } from './emulator-process.ts';

const CLIENTS = 8;
const ENOUGH_PLANTS = 100;

test('the emulator loses no acknowledged plant when it is killed under load', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'plant-store-crash-'));
  const killed = await startEmulatorProcess(synthesizedAssembly(), dataDir);
  const token = await newToken(killed.dynamodbEndpoint);
  const acknowledged = new Map<string, string>();
  const clients = Array.from({ length: CLIENTS }, (_, client) =>
    createUntilKilled(killed.url, token, `${client + 1}`, acknowledged),
  );
  while (acknowledged.size < ENOUGH_PLANTS) await sleep(1);
  await killed.kill();
  await Promise.all(clients);

  const restarted = await startEmulatorProcess(synthesizedAssembly(), dataDir);
  const dynamodb = localDynamoDB(restarted.dynamodbEndpoint);
  const plants = await plantsIn(dynamodb);
  dynamodb.destroy();
  await restarted.kill();
  await rm(dataDir, { recursive: true });
  expect([...acknowledged].filter(([id, name]) => plants.get(id)?.name !== name).slice(0, 5)).toEqual([]);
});

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

async function newToken(endpoint: string): Promise<string> {
  const dynamodb = localDynamoDB(endpoint);
  const { TableNames = [] } = await dynamodb.send(new ListTablesCommand());
  const table = TableNames.find((name) => name.startsWith('Tokens')) ?? '';
  const { text } = await issueToken(tokenStore(dynamodb, table), { name: 'test' });
  dynamodb.destroy();
  return text;
}
