import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { copyProject } from '../../../test/support/edited-project.ts';
import { type StartedService, startFromCommandLine } from '../../../test/support/started-service.ts';
import { UNTHROTTLED } from '../../../test/support/unthrottled.ts';

const FUNCTION = 'lambda/create-plant/create-plant.ts';
const STACK = 'lib/plant-store-stack.ts';

// Each test edits what the one before has left.
describe('npm start, while a client keeps creating plants,', () => {
  const project = copyProject();
  const temporary = mkdtempSync(join(tmpdir(), 'plant-store-start-'));
  let service: StartedService;
  let client: Promise<void>;
  let sending = true;
  let stopped: Promise<unknown> | undefined;
  /** How often the client got each result. */
  const results = new Map<string, number>();

  beforeAll(async () => {
    const cdk = JSON.parse(project.read('cdk.json'));
    project.save('cdk.json', JSON.stringify({ ...cdk, context: { ...cdk.context, ...UNTHROTTLED } }));
    project.edit(STACK, 'import {', `import { StringParameter } from 'aws-cdk-lib/aws-ssm';\nimport {`);
    const motto = `new StringParameter(this, 'Motto', { stringValue: 'Grow' });`;
    project.edit(STACK, 'const deployedTables =', `${motto}\n    const deployedTables =`);
    const loop = `while (existsSync('endless')) writeFileSync('alive', '');`;
    project.edit('bin/plant-store.ts', 'runApp((app)', `${loop}\nrunApp((app)`);
    project.edit(
      'bin/plant-store.ts',
      'import {',
      `import { existsSync, writeFileSync } from 'node:fs';\nimport {`,
    );
    service = await startFromCommandLine({ TMPDIR: temporary }, { project: project.folder });
    client = keepCreating();
  });
  afterAll(async () => {
    sending = false;
    await client;
    await (stopped ?? service.stop());
    project.remove();
    rmSync(temporary, { recursive: true });
  });

  async function keepCreating(): Promise<void> {
    for (let id = 1_000; sending; id += 1) {
      const path = id % 2 === 0 ? 'plants' : 'trees';
      const result = `${path} ${await create(path, { id, name: 'Ficus' }).catch(String)}`;
      results.set(result, (results.get(result) ?? 0) + 1);
      await sleep(50);
    }
  }

  /** @returns the status and the body of the response */
  async function create(path: string, plant: Readonly<Record<string, unknown>> | undefined): Promise<string> {
    const response = await fetch(`${service.url}/${path}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${service.token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(plant),
    });
    return `${response.status} ${await response.text()}`;
  }

  /** Waits until it prints more that matches. The limit is the test's own. */
  async function nextPrinted(pattern: RegExp, printedBefore: string): Promise<string> {
    for (;;) {
      const printed = service.printed().slice(printedBefore.length);
      if (pattern.test(printed)) return printed;
      await sleep(10);
    }
  }

  test('has named a resource that it leaves out', () => {
    expect(service.printed()).toMatch(
      /Left out {3}Motto\w+ \(AWS::SSM::Parameter\): nothing that a request uses refers to it\n/,
    );
  });

  test('holds requests while a save is loaded, and responds with its new text, with the same port and token', async () => {
    const before = service.printed();
    const loading = `const fs = process.getBuiltinModule('node:fs');
      fs.writeFileSync('loading', '');
      while (!fs.existsSync('go'));`;
    const code = project.read('lambda/shared/request-body.ts');
    project.save(
      'lambda/shared/request-body.ts',
      code.replace('the request has no body', 'send a plant') + loading,
    );
    while (!existsSync(join(project.folder, 'loading'))) await sleep(10);
    const response = create('plants', undefined);
    await Promise.race([response, sleep(100)]);
    project.save('go', '');
    expect(await response).toBe('400 {"error":1001,"message":"send a plant"}');
    await nextPrinted(/^Reloaded create-plant in \d+ ms\.\n/m, before);
  });

  test.each([
    ['prints the code frame of broken syntax', 'const broken = ;', /^ +\d+ │ const broken = ;$/m],
    [
      'names a function that throws while it loads',
      `\nthrow new Error('too early');`,
      /^CreatePlant\w+ cannot be loaded: fix its code \(Error: too early\)$/m,
    ],
  ])('%s, runs the last good version, and returns to it', async (_, broken, message) => {
    const [before, good] = [service.printed(), project.read(FUNCTION)];
    project.save(FUNCTION, `${good}${broken}`);
    expect(await nextPrinted(/Still running the last good version\.\n/, before)).toMatch(message);
    expect(await create('plants', { id: 2, name: 'Oak' })).toBe('200 {"name":"Oak"}');
    project.save(FUNCTION, good);
    await nextPrinted(/^Returned to the last good version in \d+ ms\.\n/m, before);
  });

  test('runs code with a type error, and reports the error', async () => {
    const before = service.printed();
    project.edit(
      FUNCTION,
      'return plant;',
      `const mistyped: number = 'text';\n  return { ...plant, tag: mistyped };`,
    );
    await nextPrinted(/^Reloaded create-plant in/m, before);
    expect(await create('plants', { id: 4, name: 'Oak' })).toBe('200 {"name":"Oak","tag":"text"}');
    await nextPrinted(/^lambda\/create-plant\/create-plant\.ts\(\d+,\d+\): error TS2322: /m, before);
    const beforeFix = service.printed();
    project.edit(
      FUNCTION,
      `const mistyped: number = 'text';\n  return { ...plant, tag: mistyped };`,
      'return plant;',
    );
    await nextPrinted(/^Reloaded create-plant in/m, beforeFix);
    await nextPrinted(/^Type errors fixed\.\n/m, before);
  });

  test('validates a field that is added to openapi.json and to the function', async () => {
    const before = service.printed();
    const origin = { type: 'string' };
    const openapi = JSON.parse(project.read('openapi.json'));
    openapi.components.schemas.Plant.properties.origin = origin;
    openapi.components.schemas.NewPlant.properties.origin = origin;
    project.save('openapi.json', JSON.stringify(openapi));
    await nextPrinted(/^Generated lambda\/generated\/ from openapi\.json in \d+ ms\.\n/m, before);
    await nextPrinted(/^Reloaded create-plant in/m, before);
    expect(await create('plants', { id: 5, name: 'Oak', origin: 5 })).toMatch(/^400 .*"error":1002.*origin/);
  });

  test('replaces the API and its functions at once when lambda/ is saved during the synthesis of lib/', async () => {
    const before = service.printed();
    const edited = `return { ...plant, name: \`code 2, environment \${process.env.VERSION}\` };`;
    project.edit(STACK, '...dynamodbEndpoint', `VERSION: '2', ...dynamodbEndpoint`);
    project.edit('lib/operations.ts', `path: '/plants'`, `path: '/trees'`);
    await nextPrinted(/^Synthesizing the stack …\n/m, before);
    project.edit(FUNCTION, 'return plant;', edited);
    await nextPrinted(/^Reloaded the stack, create-plant in \d+ ms\.\n/m, before);
    expect(await create('trees', { id: 6, name: 'Oak' })).toBe('200 {"name":"code 2, environment 2"}');
  });

  test('has responded to every request, and to each by a single version', async () => {
    while (results.size < 5) await sleep(10);
    sending = false;
    await client;
    const noRoute = '404 {"error":2404,"message":"no such route"}';
    expect([...results.keys()].toSorted()).toEqual([
      // Of the code with a type error.
      'plants 200 {"name":"Ficus","tag":"text"}',
      'plants 200 {"name":"Ficus"}',
      `plants ${noRoute}`,
      'trees 200 {"name":"code 2, environment 2"}',
      `trees ${noRoute}`,
    ]);
  });

  test('interrupts its synthesis and leaves no file when its terminal is closed', async () => {
    const before = readdirSync(temporary);
    const alive = join(project.folder, 'alive');
    project.save('endless', '');
    project.save(STACK, `${project.read(STACK)}// Saved again.\n`);
    while (!existsSync(alive)) await sleep(10);
    stopped = service.stop('SIGHUP');
    await stopped;
    rmSync(alive);
    await sleep(100);
    expect(existsSync(alive)).toBe(false);
    expect({ before, after: readdirSync(temporary) }).toEqual({ before: [expect.anything()], after: [] });
  });
});
