import { spawnSync } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { callDynamoDB } from '../dynamodb/call-dynamodb.ts';
import { writeAssembly } from './fixtures/assembly.ts';
import { startProcess } from './fixtures/emulator.ts';
import { routesTo, stackOf, table } from './fixtures/resources.ts';

const SCRIPT = join(import.meta.dirname, 'fixtures/run-emulator.ts');
const CLIENTS = 8;
/** The number of acknowledged writes after which the emulator is killed. */
const ENOUGH = 100;

const plant = (id: string) => ({ id: { N: id } });

let assembly: string;
let emulator: Awaited<ReturnType<typeof startProcess>>;
let dynamodbEndpoint: string;
/** Starts an emulator in a separate process, which tests can kill. */
const start = async () => {
  emulator = await startProcess([SCRIPT, assembly]);
  dynamodbEndpoint = emulator.line;
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
        await callDynamoDB(dynamodbEndpoint, 'PutItem', input);
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
    const input = { TableName: 'Plants', Key: plant(id) };
    const { Item } = await callDynamoDB(dynamodbEndpoint, 'GetItem', input);
    if (Item === undefined) lost.push(id);
  }
  expect([acknowledged.length >= ENOUGH, lost]).toEqual([true, []]);
});

test('stops the emulator, and logs one line, when DynamoDB exits', async () => {
  emulator.child.kill('SIGUSR2');
  expect(await emulator.stderr).toBe(
    'The embedded DynamoDB ended unexpectedly (no error was reported): start the emulator again\n',
  );
});

// Node crashes in a third of the stops if the threads are resumed after `terminate()`.
test('gives functions a day, and stops five times, if a debugger can attach', async () => {
  const functions = Object.fromEntries(
    [...'ABCDEF'].map((id) => [
      id,
      'exports.handler = (_, context) => context.getRemainingTimeInMillis();',
    ]),
  );
  const assembly = await writeAssembly(routesTo(functions));
  const script = `
    import { open } from 'node:inspector';
    import { RunningStack } from './running-stack.ts';
    open(0, '127.0.0.1');
    for (let count = 0; count < 5; count += 1) {
      const stack = new RunningStack(console.log);
      await stack.run({ assembly: process.argv[1] }, 'http://127.0.0.1:1');
      const { route } = (await stack.api()).findRoute('POST', '/A');
      console.log(String(await route.invoke('{}')));
      await stack.stop();
    }
    process.exit();`;
  const args = ['--input-type=module', '--eval', script, assembly];
  const { status, signal, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: join(import.meta.dirname, '..'),
    encoding: 'utf8',
  });
  await rm(assembly, { recursive: true });
  expect([status, signal, status === 0 ? '' : stderr]).toEqual([0, null, '']);
  const [remainingTime] = stdout.split('\n').map(Number);
  expect(remainingTime).toBeGreaterThan(86_000_000);
});
