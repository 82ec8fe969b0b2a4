import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { writeAssembly } from './fixtures/assembly.ts';
import { startTestEmulator, type TestEmulator } from './fixtures/emulator.ts';
import { send } from './fixtures/http.ts';
import { arnOf, method, restApi, tokenAuthorizer } from './fixtures/resources.ts';

/** A version of the app whose authorizer and function return `name` as soon as `file` exists. */
const version = (name: string, file = '/') => {
  const wait = `while (!require('node:fs').existsSync(${JSON.stringify(file)}))
    await new Promise((resolve) => setTimeout(resolve, 10));`;
  return {
    resources: {
      ...restApi(),
      ...method('version', 'GET', arnOf('Version'), { authorizer: 'Authorizer' }),
      Authorizer: tokenAuthorizer(arnOf('Authorize')),
    },
    functions: {
      Authorize: `exports.handler = async ({ methodArn: Resource }) => { console.log('${name}'); ${wait} return {
        context: { name: '${name}' },
        policyDocument: { Statement: [{ Effect: 'Allow', Action: 'execute-api:Invoke', Resource }] } }; };`,
      Version: `console.log('${name} loads'); setInterval(() => console.log('${name} lives'), 5); exports.handler = async ({ requestContext }) => { ${wait} return {
        statusCode: 200, body: requestContext.authorizer.name + ' ${name}' }; };`,
    },
  };
};

let emulator: TestEmulator;
const lines: string[] = [];
const [received, waiting] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
beforeAll(async () => {
  const observer = { received: () => received.resolve(), responded: () => {} };
  const log = (line: string) => {
    lines.push(line);
    if (line === 'waiting') waiting.resolve();
  };
  emulator = await startTestEmulator(version('first'), { observer, log });
});
afterAll(async () => {
  await emulator.stop();
  await Promise.all(assemblies.map((assembly) => rm(assembly, { recursive: true })));
});

const assemblies: string[] = [];
const run = async (...versionOptions: Parameters<typeof version>) => {
  const assembly = await writeAssembly(version(...versionOptions));
  assemblies.push(assembly);
  await emulator.run({ assembly });
  return assembly;
};
const get = async () =>
  (await send(emulator.url, '/version', { headers: { Authorization: 'token' } })).text;

test('holds a request during a reload only until that reload ends, even if another reload follows', async () => {
  const reload = Promise.withResolvers<void>();
  emulator.holdRequests(reload.promise);
  const held = get();
  await received.promise;
  await run('second');
  await expect(Promise.race([held, sleep(50, 'held')])).resolves.toBe('held');
  emulator.holdRequests(new Promise(() => {}));
  reload.reject(new Error('it cannot run'));
  expect(await held).toBe('second second');
  emulator.holdRequests(Promise.resolve());
});

test('completes a request with the version that it began with, and serves new ones with the next version', async () => {
  const released = join(emulator.dataDir, 'released');
  await run('waiting', released);
  const began = get();
  await waiting.promise;
  await run('next');
  expect(await get()).toBe('next next');
  await writeFile(released, '');
  expect(await began).toBe('waiting waiting');
});

test('keeps a function’s worker while the function does not change, even after a version that cannot run', async () => {
  const assembly = await run('same');
  await get();
  await emulator.run({ assembly });
  const assets = new Map([['bundles/version', '/']]);
  await expect(emulator.run({ assembly, assets })).rejects.toThrow('version cannot be loaded');
  expect(await get()).toBe('same same');
  expect(lines.filter((line) => line === 'same loads')).toHaveLength(1);
});

test('ends the functions that have changed', async () => {
  await run('last');
  const deadline = Date.now() + 10_000;
  do {
    lines.length = 0;
    await sleep(100);
  } while (lines.includes('same lives') && Date.now() < deadline);
  expect(lines).not.toContain('same lives');
});
