import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from '@jest/globals';
import { copyProject } from '../../../test/support/project/edited-project.ts';
import {
  type StartedService,
  type StartOptions,
  startFromCommandLine,
  until,
} from '../../../test/support/project/started-service.ts';
import { exampleBody, exampleOperation } from '../../../test/support/service/contract.ts';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { pauseFunction } from './function-debugger.ts';

let service: StartedService;
/** The process that runs the emulator. */
let pid: number;
let temporary: string;

async function start(options: StartOptions) {
  temporary = temporaryFolder();
  service = await startFromCommandLine({ TMPDIR: temporary }, options);
  ({ pid } = JSON.parse(readFileSync(join(service.dataDir, 'emulator.json'), 'utf8')));
  expect(readdirSync(temporary)).toHaveLength(1);
}

const filesLeftBehind = () => [readdirSync(temporary), readdirSync(service.dataDir)];
const ONLY_DATA = [[], ['dynamodb']];

afterEach(async () => {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
  await service.ended;
  rmSync(service.dataDir, { recursive: true });
});

// In `npm start | tee plant-store.log`, Ctrl-C ends tee first.
// npm sends SIGTERM to its shell. Unlike others, bash has replaced itself with the command by then, which also gets a
// Ctrl-C from the terminal.
test('npm start -- --inspect leaves no file behind after two SIGTERM, even with a paused function', async () => {
  const command = ['npm', '--silent', '--script-shell=bash', 'start', '--', '--inspect=0'];
  await start({ command });
  const [inspectorUrl = ''] = /ws:\S+/.exec(service.printed()) ?? [];
  service.stopReading();
  // Every request is logged, so every request writes to the closed output.
  for (const path of ['/first', '/second']) await fetch(`${service.url}${path}`);
  const { paused } = await pauseFunction(inspectorUrl, exampleOperation.functionName);
  const response = service.send({ body: exampleBody }).catch(() => undefined);
  await paused;

  process.kill(pid, 'SIGTERM');
  await sleep(100);
  service.kill('SIGTERM');
  expect(await service.ended).toEqual([0, null]);
  expect(filesLeftBehind()).toEqual(ONLY_DATA);
  await response;
});

// The emulator's end.test.ts checks that this loses no acknowledged write.
test('npm start kills itself, and leaves only data behind, when a function does not end after Ctrl-C', async () => {
  const project = copyProject();
  // Nothing interrupts native code. It ends when the project is removed.
  project.save(
    `lambda/${exampleOperation.functionName}/index.ts`,
    `const { execSync } = process.getBuiltinModule('node:child_process');
    export const handler = () => execSync('touch stuck; while test -e stuck; do sleep 0.1; done');`,
  );
  const stuck = join(project.folder, 'stuck');
  await start({ project: project.folder });
  const response = service.send({ body: exampleBody }).catch(() => undefined);
  await until(() => existsSync(stuck));

  service.kill('SIGINT');
  const stoppedAt = performance.now();
  expect(await service.ended).toEqual([null, 'SIGKILL']);
  expect(performance.now() - stoppedAt).toBeLessThan(6_000);
  expect(service.printed()).toMatch(/\nStopping …\nA function has not ended: .*\n$/);
  expect(filesLeftBehind()).toEqual(ONLY_DATA);
  await response;
});

// When a terminal is closed, a shell and the operating system both send SIGHUP.
test('npm start interrupts the synthesis and leaves no file behind after two SIGHUP', async () => {
  const project = copyProject();
  // While the file `endless` exists, the synthesis does not end.
  const loop = `const { existsSync, writeFileSync } = process.getBuiltinModule('node:fs');
    while (existsSync('endless')) writeFileSync('alive', '');`;
  project.save('bin/plant-store.ts', `${loop}\n${project.read('bin/plant-store.ts')}`);
  await start({ project: project.folder });
  const alive = join(project.folder, 'alive');
  project.save('endless', '');
  // A comment would not change the bundled stack.
  project.save('lib/user-error.ts', `${project.read('lib/user-error.ts')}process.title;`);
  await until(() => existsSync(alive));

  process.kill(pid, 'SIGHUP');
  await until(() => service.printed().includes('Stopping'));
  service.kill('SIGHUP');
  await service.ended;
  rmSync(alive);
  await sleep(100);
  expect(existsSync(alive)).toBe(false);
  expect(filesLeftBehind()).toEqual(ONLY_DATA);
});
