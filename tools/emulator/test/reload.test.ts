import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { writeAssembly } from './fixtures/assembly.ts';
import { startTestEmulator } from './fixtures/emulator.ts';
import { send } from './fixtures/http.ts';
import { arnOf, method, restApi, tokenAuthorizer } from './fixtures/resources.ts';

const resources = {
  ...restApi(),
  ...method('version', 'GET', arnOf('Version'), { authorizer: 'Authorizer' }),
  Authorizer: tokenAuthorizer(arnOf('Authorize')),
};

/** A version whose authorizer and function name the version, and wait for a file if one is given. */
const version = (name: string, file?: string) => {
  const exists = file === undefined ? 'true' : `require('node:fs').existsSync(${JSON.stringify(file)})`;
  const wait = `while (!${exists}) await new Promise((resolve) => setTimeout(resolve, 10));`;
  return {
    resources,
    functions: {
      Authorize: `exports.handler = async ({ methodArn: Resource }) => { console.log('authorizing'); ${wait} return {
        context: { name: '${name}' },
        policyDocument: { Statement: [{ Effect: 'Allow', Action: 'execute-api:Invoke', Resource }] } }; };`,
      Version: `exports.handler = async ({ requestContext }) => { ${wait} return {
        statusCode: 200, body: requestContext.authorizer.name + ' ${name}' }; };`,
    },
  };
};

test('holds a request that arrives during a reload until that has ended, but for no later one', async () => {
  const received = Promise.withResolvers<void>();
  const observer = { received: () => received.resolve(), responded: () => {} };
  const emulator = await startTestEmulator(version('one'), { observer });
  const assembly = await writeAssembly(version('two'));
  const reload = Promise.withResolvers<void>();

  emulator.holdRequests(reload.promise);
  const held = send(emulator.url, '/version', { headers: { Authorization: 'token' } });
  await received.promise;
  await emulator.run({ assembly });
  await expect(Promise.race([held, sleep(50, 'waiting')])).resolves.toBe('waiting');
  emulator.holdRequests(new Promise(() => {}));
  reload.reject(new Error('it cannot run'));
  const { text } = await held;
  await emulator.stop();
  await rm(assembly, { recursive: true });

  expect(text).toBe('two two');
});

test('completes a request by the version that it began with, and serves new ones by the reloaded version', async () => {
  const began = Promise.withResolvers<void>();
  const log = (line: string) => void (line === 'authorizing' && began.resolve());
  const assembly = await writeAssembly(version('two'));
  const released = join(assembly, 'released');
  const emulator = await startTestEmulator(version('one', released), { log });
  const get = async () =>
    (await send(emulator.url, '/version', { headers: { Authorization: 'token' } })).text;

  const order: string[] = [];
  const before = get().then((text) => order.push(text));
  await began.promise;
  await emulator.run({ assembly });
  order.push(await get());
  await writeFile(released, '');
  await before;
  await emulator.stop();
  await rm(assembly, { recursive: true });

  expect(order).toEqual(['two two', 'one one']);
});
