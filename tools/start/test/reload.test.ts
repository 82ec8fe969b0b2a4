import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { copyProject, type EditedProject } from '../../../test/support/project/edited-project.ts';
import {
  type StartedService,
  startFromCommandLine,
  until,
} from '../../../test/support/project/started-service.ts';
import {
  exampleMethod,
  exampleOperation,
  examplePath,
} from '../../../test/support/service/contract.ts';
import { INVALID_BODY } from '../../contract/example-requests.ts';

const FUNCTION = `lambda/${exampleOperation.functionName}/index.ts`;
const STILL_RUNNING = 'Still running the last good version.';

// Each describe starts a copy of the project. in-process/reload.test.ts tests what each save triggers.
describe('npm start with colors', () => {
  let service: StartedService;
  afterAll(() => service.stop());

  test('prints in red why a function cannot be loaded or built, and keeps the last good version running', async () => {
    const project = copyProject();
    const good = project.read(FUNCTION);
    project.save(FUNCTION, `${good}throw new Error('too early');`);
    const env = { NO_COLOR: undefined, FORCE_COLOR: '1' };
    service = await startFromCommandLine(env, { project: project.folder });
    const explanation = `${exampleOperation.functionName} cannot be loaded (Error: too early): fix its code`;
    expect(service.logged() + service.printed()).toContain(`/${FUNCTION}:`);
    expect(service.printed()).toContain(`\u001b[31m${explanation}`);

    project.save(FUNCTION, good);
    await until(() => service.printed().includes('Reloaded in'));
    project.save(FUNCTION, `${good}const broken = ;`);
    await until(() => service.printed().includes(STILL_RUNNING));
    expect(service.printed()).toContain(` ${FUNCTION}:`);
    expect(service.printed()).toContain('│ const broken = ;');
    expect((await service.send({ body: INVALID_BODY })).body.error).toBe(1002);
  });
});

describe('npm start', () => {
  let project: EditedProject;
  let service: StartedService;
  beforeAll(async () => {
    project = copyProject();
    service = await startFromCommandLine({}, { project: project.folder });
  });
  afterAll(() => service.stop());

  test('prints the first type error of saved code in one line, and runs the code', async () => {
    project.save(
      FUNCTION,
      `${project.read(FUNCTION)}const unused = 0; export const [a, b]: number[] = ['', ''];`,
    );
    await until(() => service.printed().includes('error TS'));
    expect(service.printed()).toMatch(
      new RegExp(`\\nReloaded in \\d+ ms\\.\\n${FUNCTION}\\(\\d+,\\d+\\): error TS2322: .*\\n$`),
    );
    expect((await service.send({ body: INVALID_BODY })).body.error).toBe(1002);
  });

  test('replaces the API and its functions together by an API with a new function, and loses no request', async () => {
    const before = service.printed().length;
    const responses = new Set<string>();
    let sending = true;
    const client = (async () => {
      for (; sending; await sleep(20)) {
        for (const path of [examplePath, '/new']) {
          const { status, body } = await service.send({ path, body: '' });
          responses.add(`${path} ${status} ${body.error} ${body.message}`);
        }
      }
    })();

    mkdirSync(join(project.folder, 'lambda/new'));
    project.save(
      'lambda/new/index.ts',
      `const body = JSON.stringify({ error: 1000, message: 'the new function' });
      export const handler = async () => ({ statusCode: 400, headers: { 'Content-Type': 'application/json' }, body });`,
    );
    const { paths, ...openapi } = JSON.parse(project.read('openapi.json'));
    const method = exampleMethod.toLowerCase();
    const { [method]: moved, ...others } = paths[examplePath];
    const added = { operationId: 'new', responses: moved.responses };
    Object.assign(paths, {
      '/new': { [method]: added },
      '/moved': { [method]: moved },
      [examplePath]: others,
    });
    project.save('openapi.json', JSON.stringify({ ...openapi, paths }));
    const entry = `${exampleOperation.operationId}: {`;
    project.edit(
      'lib/operations.ts',
      entry,
      `new: { description: '', tables: [], clientErrors: [], metrics: {} },\n${entry}`,
    );
    // The stack imports this file too, for its gateway responses.
    project.edit('lambda/shared/errors.ts', 'no such route', 'no route any more');

    const reloaded = () => service.printed().includes('Reloaded in', before);
    await until(() => reloaded() && responses.size >= 4);
    sending = false;
    await client;
    expect([...responses].toSorted()).toEqual([
      '/new 400 1000 the new function',
      '/new 404 2404 no such route',
      `${examplePath} 400 1001 the request has no body`,
      `${examplePath} 404 2404 no route any more`,
    ]);
  });
});
