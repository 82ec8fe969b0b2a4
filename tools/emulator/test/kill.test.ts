import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { callDynamoDB } from '../dynamodb/client.ts';
import { writeAssembly } from './fixtures/assembly.ts';
import { startEmulatorProcess } from './fixtures/emulator-process.ts';
import { stackOf, table } from './fixtures/resources.ts';

const CLIENTS = 8;
/** The number of acknowledged writes after which the emulator is killed. */
const ENOUGH = 100;

const plant = (id: string) => ({ id: { N: id }, name: { S: `plant ${id}` } });

let assembly: string;
let emulator: Awaited<ReturnType<typeof startEmulatorProcess>>;
const start = async () => {
  emulator = await startEmulatorProcess(assembly);
};
beforeAll(async () => {
  assembly = await writeAssembly(stackOf({ Plants: table('id', 'N') }));
  await start();
});
afterAll(async () => {
  emulator.child.kill('SIGKILL');
  await rm(assembly, { recursive: true });
});

test('the emulator loses no acknowledged write when it is killed under load', async () => {
  const acknowledged: string[] = [];
  let sent = 0;
  const writeUntilKilled = async () => {
    for (;;) {
      sent += 1;
      const id = String(sent);
      try {
        const input = { TableName: 'Plants', Item: plant(id) };
        await callDynamoDB(emulator.dynamodbEndpoint, 'PutItem', input);
      } catch {
        return;
      }
      if (acknowledged.push(id) === ENOUGH) emulator.child.kill('SIGKILL');
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, writeUntilKilled));
  await emulator.stderr;

  await start();
  const lost: string[] = [];
  for (const id of acknowledged) {
    const input = { TableName: 'Plants', Key: { id: { N: id } } };
    const { Item } = await callDynamoDB(emulator.dynamodbEndpoint, 'GetItem', input);
    if (JSON.stringify(Item) !== JSON.stringify(plant(id))) lost.push(id);
  }
  expect([acknowledged.length >= ENOUGH, lost]).toEqual([true, []]);
});

test('stops the emulator, and logs one line, when DynamoDB exits', async () => {
  emulator.child.kill('SIGUSR2');
  expect(await emulator.stderr).toBe(
    'The embedded DynamoDB ended unexpectedly (no error was reported): start the emulator again\n',
  );
});
