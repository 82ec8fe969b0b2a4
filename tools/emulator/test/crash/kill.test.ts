import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { callDynamoDB } from '../../dynamodb/client.ts';
import { writeAssembly } from '../fixtures/assembly.ts';
import { startTestEmulator } from '../fixtures/emulator.ts';
import { stackOf, table } from '../fixtures/resources.ts';
import { startEmulatorProcess } from './emulator-process.ts';

const CLIENTS = 8;
/** The number of acknowledged writes after which the emulator is killed. */
const ENOUGH = 100;

const fixture = stackOf({ Plants: table('id', 'N') });
const plant = (id: string) => ({ id: { N: id }, name: { S: `plant ${id}` } });

let assembly: string;
beforeAll(async () => {
  assembly = await writeAssembly(fixture);
});
afterAll(() => rm(assembly, { recursive: true }));

test('the emulator loses no acknowledged write when it is killed under load', async () => {
  const dataDir = join(assembly, 'killed');
  const killed = await startEmulatorProcess(assembly, dataDir);
  const acknowledged: string[] = [];
  let sent = 0;
  const writeUntilKilled = async () => {
    for (;;) {
      sent += 1;
      const id = String(sent);
      try {
        const input = { TableName: 'Plants', Item: plant(id) };
        await callDynamoDB(killed.dynamodbEndpoint, 'PutItem', input);
      } catch {
        return;
      }
      if (acknowledged.push(id) === ENOUGH) await killed.kill();
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, writeUntilKilled));

  const restarted = await startTestEmulator(fixture, { dataDir });
  const lost: string[] = [];
  for (const id of acknowledged) {
    const input = { TableName: 'Plants', Key: { id: { N: id } } };
    const { Item } = await callDynamoDB(restarted.dynamodbEndpoint, 'GetItem', input);
    if (JSON.stringify(Item) !== JSON.stringify(plant(id))) lost.push(id);
  }
  await restarted.stop();
  expect([acknowledged.length >= ENOUGH, lost]).toEqual([true, []]);
});

test('stops the emulator, and logs one line, when DynamoDB exits', async () => {
  const { child, stderr } = await startEmulatorProcess(assembly, join(assembly, 'ended'));
  child.kill('SIGUSR2');
  expect(await stderr).toBe(
    'The embedded DynamoDB ended unexpectedly (no error was reported): start the emulator again\n',
  );
});
