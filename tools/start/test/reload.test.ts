import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { copyProject } from '../../../test/support/edited-project.ts';
import { type StartedService, startFromCommandLine } from '../../../test/support/started-service.ts';

const FUNCTION = 'lambda/create-plant/create-plant.ts';
const STACK = 'lib/plant-store-stack.ts';
const START = [process.execPath, 'bin/start.ts'];
/** Whether `script` is the one from util-linux, which runs a command in a separate terminal. */
const hasScript = spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout?.includes('util-linux');

// Takes about 10 s: it synthesizes the stack three times, each in a separate process.
// in-process/reload.test.ts covers what each save triggers. Each test continues from the previous one.
describe('npm start', () => {
  const project = copyProject();
  const temporary = mkdtempSync(join(tmpdir(), 'plant-store-start-'));
  const good = project.read(FUNCTION);
  let service: StartedService;

  beforeAll(async () => {
    // Uses a symbolic link, because links must be watched too.
    renameSync(join(project.folder, 'lambda'), join(project.folder, 'code'));
    symlinkSync('code', join(project.folder, 'lambda'), 'junction');
    project.save(FUNCTION, `${good}throw new Error('too early');`);
    project.edit(STACK, 'import {', `import { StringParameter } from 'aws-cdk-lib/aws-ssm';\nimport {`);
    const motto = `new StringParameter(this, 'Motto', { stringValue: 'Grow' });`;
    project.edit(STACK, 'const deployedTables =', `${motto}\n    const deployedTables =`);
    const loop = `while (existsSync('endless')) writeFileSync('alive', '');`;
    project.edit('bin/plant-store.ts', 'runApp((app)', `${loop}\nrunApp((app)`);
    const imported = `import { existsSync, writeFileSync } from 'node:fs';\nimport {`;
    project.edit('bin/plant-store.ts', 'import {', imported);
    const script = `script --quiet --return --command 'exec "${START.join('" "')}"' /dev/null`;
    // Descriptor 3 closes when the command in the terminal has ended.
    const inTerminal = ['sh', '-c', `exec ${script} >&2 3>&2`];
    const env = {
      TMPDIR: temporary,
      TERM: 'xterm',
      NO_COLOR: undefined,
      FORCE_COLOR: undefined,
      CI: undefined,
    };
    const command = hasScript ? inTerminal : START;
    service = await startFromCommandLine(env, { project: project.folder, command });
  });
  afterAll(() => {
    project.remove();
    for (const folder of [temporary, service.dataDir]) rmSync(folder, { recursive: true });
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

  test('names a resource that it leaves out and a function that it cannot load, which it loads once it is fixed', async () => {
    const before = service.printed();
    expect(before).toMatch(/Left out {3}Motto\w+ \(AWS::SSM::Parameter\): no request depends on it$/m);
    expect(before).toContain('create-plant cannot be loaded (Error: too early): fix its code');
    expect(before.includes('\u001b[31m')).toBe(hasScript);
    project.save(FUNCTION, good);
    expect(await nextPrinted(/^Reloaded in \d+ ms\.$/m, before)).not.toContain('Synthesizing');
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
    await nextPrinted(/^Reloaded in/m, before);
  });

  test('explains why saved code cannot run, and keeps the last good version running', async () => {
    const running = /^Still running the last good version\.$/m;
    const before = service.printed();
    project.save(FUNCTION, `${good}const broken = ;`);
    const explanation = await nextPrinted(running, before);
    expect(explanation).toContain('create-plant.ts:');
    expect(explanation).toMatch(/^ +\d+ │ const broken = ;$/m);

    const beforeLoading = service.printed();
    project.save(FUNCTION, `${good}throw new Error('too late');`);
    const cannotLoad = 'create-plant cannot be loaded (Error: too late): fix its code';
    expect(await nextPrinted(running, beforeLoading)).toContain(cannotLoad);
    expect(await create('plants', { id: 2, name: 'Oak' })).toBe('200 {"name":"Oak"}');

    const beforeFix = service.printed();
    project.save(FUNCTION, good);
    await nextPrinted(/^Reloaded in/m, beforeFix);
  });

  test('validates a field that is added to openapi.json', async () => {
    const before = service.printed();
    const addedByTest = { type: 'string' };
    const openapi = JSON.parse(project.read('openapi.json'));
    Object.assign(openapi.components.schemas.Plant.properties, { addedByTest });
    Object.assign(openapi.components.schemas.NewPlant.properties, { addedByTest });
    project.save('openapi.json', JSON.stringify(openapi));
    await nextPrinted(/^Reloaded in/m, before);
    expect(await create('plants', { id: 5, name: 'Oak', addedByTest: 5 })).toMatch(
      /^400 .*"error":1002.*addedByTest/,
    );
  });

  test('replaces the API and its functions together by an API with a new function, and loses no request', async () => {
    const before = service.printed();
    const results = new Set<string>();
    let sending = true;
    const client = (async () => {
      for (; sending; await sleep(20))
        for (const path of ['plants', 'trees'])
          results.add(`${path} ${await create(path, { id: 6, name: 'Oak' }).catch(String)}`);
    })();
    const copied = join(project.folder, 'code/create-tree');
    cpSync(join(project.folder, 'code/create-plant'), copied, { recursive: true });
    project.edit(
      'lambda/create-tree/create-plant.ts',
      'return plant;',
      "return { ...plant, name: ['code 2', process.env.VERSION].join(', ') };",
    );
    project.edit(STACK, '...dynamodbEndpoint', `VERSION: 'environment 2', ...dynamodbEndpoint`);
    project.edit('lib/operations.ts', `path: '/plants'`, `path: '/trees'`);
    project.edit('lib/operations.ts', `functionName: 'create-plant'`, `functionName: 'create-tree'`);
    // The stack imports this file too, for its gateway responses.
    project.edit('lambda/shared/errors.ts', 'no such route', 'no route');
    await nextPrinted(/^Reloaded in/m, before);
    while (results.size < 4) await sleep(10);
    sending = false;
    await client;
    expect([...results].toSorted()).toEqual([
      'plants 200 {"name":"Oak"}',
      'plants 404 {"error":2404,"message":"no route"}',
      'trees 200 {"name":"code 2, environment 2"}',
      'trees 404 {"error":2404,"message":"no such route"}',
    ]);
  });

  // A shell and the operating system both send SIGHUP.
  test('interrupts the synthesis and leaves no file behind when the terminal is closed', async () => {
    const [before, alive] = [service.printed(), join(project.folder, 'alive')];
    const announced = join(service.dataDir, 'emulator.json');
    const { pid } = JSON.parse(readFileSync(announced, 'utf8'));
    expect(readdirSync(temporary)).toHaveLength(1);
    project.save('endless', '');
    project.edit(STACK, 'Grow', 'Grow more');
    while (!existsSync(alive)) await sleep(10);
    process.kill(pid, 'SIGHUP');
    await nextPrinted(/Stopping/, before);
    service.kill(hasScript ? 'SIGKILL' : 'SIGHUP');
    await service.ended;
    rmSync(alive);
    await sleep(100);
    expect([existsSync(alive), existsSync(announced), readdirSync(temporary)]).toEqual([false, false, []]);
  });
});
