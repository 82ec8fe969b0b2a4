import { existsSync, mkdtempSync, readdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { copyProject } from '../../../test/support/edited-project.ts';
import { type StartedService, startFromCommandLine } from '../../../test/support/started-service.ts';

const FUNCTION = 'lambda/create-plant/create-plant.ts';
const OIDC = 'lambda/authorize-oidc';
const STACK = 'lib/plant-store-stack.ts';

// Takes more than 10 s: it synthesizes the stack four times, each in a separate process.
// in-process/reload.test.ts covers what each save triggers. Each test continues from the previous one.
describe('npm start', () => {
  const project = copyProject();
  const temporary = mkdtempSync(join(tmpdir(), 'plant-store-start-'));
  let service: StartedService;
  let stopped: Promise<unknown> | undefined;

  beforeAll(async () => {
    // Uses a symbolic link, because links must be watched too.
    renameSync(join(project.folder, 'lambda'), join(project.folder, 'code'));
    symlinkSync('code', join(project.folder, 'lambda'), 'junction');
    project.edit(STACK, 'import {', `import { StringParameter } from 'aws-cdk-lib/aws-ssm';\nimport {`);
    const motto = `new StringParameter(this, 'Motto', { stringValue: 'Grow' });`;
    project.edit(STACK, 'const deployedTables =', `${motto}\n    const deployedTables =`);
    const loop = `while (existsSync('endless')) writeFileSync('alive', '');`;
    project.edit('bin/plant-store.ts', 'runApp((app)', `${loop}\nrunApp((app)`);
    const imported = `import { existsSync, writeFileSync } from 'node:fs';\nimport {`;
    project.edit('bin/plant-store.ts', 'import {', imported);
    service = await startFromCommandLine({ TMPDIR: temporary }, { project: project.folder });
  });
  afterAll(async () => {
    await (stopped ?? service.stop());
    project.remove();
    rmSync(temporary, { recursive: true });
  });

  /** @returns the status and the body of the response */
  async function create(path: string, plant: Readonly<Record<string, unknown>> | undefined): Promise<string> {
    const response = await fetch(`${service.url}/${path}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${service.token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(plant),
    });
    return `${response.status} ${await response.text()}`;
  }

  /** Waits until new output matches the pattern. @throws Error shortly before the test times out */
  async function nextPrinted(pattern: RegExp, printedBefore: string): Promise<string> {
    const deadline = AbortSignal.timeout(55_000);
    for (;;) {
      const printed = service.printed().slice(printedBefore.length);
      if (pattern.test(printed)) return printed;
      if (deadline.aborted) throw new Error(`npm start has not printed ${pattern}, only:\n${printed}`);
      await sleep(10);
    }
  }

  test('names a resource that it leaves out', () => {
    expect(service.printed()).toMatch(
      /Left out {3}Motto\w+ \(AWS::SSM::Parameter\): no request depends on it\n/,
    );
  });

  test('holds requests while saved code is loaded, then runs the new code on the same port with the same token', async () => {
    const before = service.printed();
    const loading = `const fs = process.getBuiltinModule('node:fs');
      fs.writeFileSync('loading', '');
      while (!fs.existsSync('go'));`;
    const code = project.read('lambda/shared/http/request-body.ts');
    project.save(
      'lambda/shared/http/request-body.ts',
      code.replace('the request has no body', 'send a plant') + loading,
    );
    while (!existsSync(join(project.folder, 'loading'))) await sleep(10);
    const response = create('plants', undefined);
    await Promise.race([response, sleep(100)]);
    project.save('go', '');
    expect(await response).toBe('400 {"error":1001,"message":"send a plant"}');
    await nextPrinted(/^Reloaded .*\bcreate-plant\b.* in \d+ ms\.\n/m, before);
  });

  test('explains why saved code cannot run, keeps the last good version running, and prints a message when the code is restored', async () => {
    const [before, good] = [service.printed(), project.read(FUNCTION)];
    const running = /Still running the last good version\.\n/;
    project.save(FUNCTION, `${good}const broken = ;`);
    expect(await nextPrinted(running, before)).toMatch(/^ +\d+ │ const broken = ;$/m);

    const beforeLoading = service.printed();
    project.save(FUNCTION, `${good}throw new Error('too early');`);
    const cannotLoad = /^create-plant cannot be loaded \(Error: too early\): fix its code$/m;
    expect(await nextPrinted(running, beforeLoading)).toMatch(cannotLoad);

    // Then removes a folder, as checking out a branch without the operation would.
    project.save(FUNCTION, good);
    await nextPrinted(/^Accepted the restored code in \d+ ms\.\n/m, beforeLoading);
    const beforeRemoval = service.printed();
    renameSync(join(project.folder, OIDC), join(project.folder, 'removed'));
    expect(await nextPrinted(running, beforeRemoval)).toMatch(
      /^lambda\/authorize-oidc\/index\.ts is missing: restore it or, .* stop npm start and run it again$/m,
    );

    expect(await create('plants', { id: 2, name: 'Oak' })).toBe('200 {"name":"Oak"}');
    renameSync(join(project.folder, 'removed'), join(project.folder, OIDC));
    await nextPrinted(/^Accepted the restored code in \d+ ms\.\n/m, beforeRemoval);
  });

  test('validates a field that is added to openapi.json', async () => {
    const before = service.printed();
    const addedByTest = { type: 'string' };
    const openapi = JSON.parse(project.read('openapi.json'));
    Object.assign(openapi.components.schemas.Plant.properties, { addedByTest });
    Object.assign(openapi.components.schemas.NewPlant.properties, { addedByTest });
    project.save('openapi.json', JSON.stringify(openapi));
    await nextPrinted(/^Reloaded .*\bcreate-plant\b.* in/m, before);
    expect(await create('plants', { id: 5, name: 'Oak', addedByTest: 5 })).toMatch(
      /^400 .*"error":1002.*addedByTest/,
    );
  });

  test.each([
    ['all functions when their loader is saved', 'lambda/index.mjs', /^Reloaded (\S+, )+\S+ in/],
    [
      'a function and the stack when a file that both import is saved',
      'lambda/shared/tokens/access-token.ts',
      /^Reloaded the stack, authorize in /m,
    ],
  ])('reloads %s', async (_, file, reloaded) => {
    const before = service.printed();
    project.save(file, `${project.read(file)}\nconsole.log('saved');\n`);
    await nextPrinted(reloaded, before);
  });

  test('replaces the API and its functions together, and loses no request', async () => {
    const before = service.printed();
    const results = new Set<string>();
    let sending = true;
    const client = (async () => {
      for (; sending; await sleep(20))
        for (const path of ['plants', 'trees'])
          results.add(`${path} ${await create(path, { id: 6, name: 'Oak' }).catch(String)}`);
    })();
    project.edit(
      FUNCTION,
      'return plant;',
      "return { ...plant, name: ['code 2', process.env.VERSION].join(', ') };",
    );
    project.edit(STACK, '...dynamodbEndpoint', `VERSION: 'environment 2', ...dynamodbEndpoint`);
    project.edit('lib/operations.ts', `path: '/plants'`, `path: '/trees'`);
    await nextPrinted(/^Reloaded the stack, create-plant in \d+ ms\.\n/m, before);
    while (results.size < 4) await sleep(10);
    sending = false;
    await client;
    const noRoute = '404 {"error":2404,"message":"no such route"}';
    expect([...results].toSorted()).toEqual([
      'plants 200 {"name":"Oak"}',
      `plants ${noRoute}`,
      'trees 200 {"name":"code 2, environment 2"}',
      `trees ${noRoute}`,
    ]);
  });

  // A shell and the operating system both send SIGHUP.
  test('interrupts the synthesis, leaves no file behind, and prints no esbuild error when the terminal is closed', async () => {
    const [before, printed] = [readdirSync(temporary), service.printed()];
    const alive = join(project.folder, 'alive');
    project.save('endless', '');
    project.edit(STACK, 'Grow', 'Grow more');
    while (!existsSync(alive)) await sleep(10);
    stopped = service.stop('SIGHUP');
    await nextPrinted(/Stopping/, printed);
    service.kill('SIGHUP');
    expect(await stopped).toBe(0);
    rmSync(alive);
    await sleep(100);
    expect(existsSync(alive)).toBe(false);
    expect({ before, after: readdirSync(temporary) }).toEqual({ before: [expect.anything()], after: [] });
    expect(service.printed()).not.toContain('goroutines');
  });
});
