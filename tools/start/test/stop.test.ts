import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { copyProject } from '../../../test/support/project/edited-project.ts';
import {
  HAS_TERMINAL,
  IN_TERMINAL,
  startFromCommandLine,
} from '../../../test/support/project/started-service.ts';
import { exampleBody, exampleOperation } from '../../../test/support/service/contract.ts';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { pauseFunction } from './function-debugger.ts';

// In `npm start | tee plant-store.log`, Ctrl-C ends tee first.
// npm sends SIGTERM to its shell. Unlike others, bash has replaced itself with the command by then.
test('npm start -- --inspect exits and leaves no file behind when npm gets SIGTERM, even if nobody reads its output and a debugger has paused a function', async () => {
  const temporary = temporaryFolder();
  const command = ['npm', '--silent', '--script-shell=bash', 'start', '--', '--inspect=0'];
  const service = await startFromCommandLine({ TMPDIR: temporary }, { command });
  expect(readdirSync(temporary)).toHaveLength(1);
  const [inspectorUrl = ''] = /ws:\S+/.exec(service.printed()) ?? [];
  service.stopReading();
  // Every request is logged, so every request writes to the closed output.
  for (const path of ['/first', '/second']) await fetch(`${service.url}${path}`);
  const { paused } = await pauseFunction(inspectorUrl, exampleOperation.functionName);
  const response = service.send({ body: exampleBody }).catch(() => undefined);
  await paused;

  service.kill('SIGTERM');
  expect(await service.ended).toEqual([0, null]);
  expect(readdirSync(temporary)).toEqual([]);
  expect(readdirSync(service.dataDir)).toEqual(['dynamodb']);
  await response;
  rmSync(service.dataDir, { recursive: true });
});

// A shell and the operating system both send SIGHUP.
test('npm start interrupts the synthesis and leaves no file behind when the terminal is closed', async () => {
  const temporary = temporaryFolder();
  const project = copyProject();
  // While the file `endless` exists, the synthesis does not end.
  const loop = `const { existsSync, writeFileSync } = process.getBuiltinModule('node:fs');
    while (existsSync('endless')) writeFileSync('alive', '');`;
  project.save('bin/plant-store.ts', `${loop}\n${project.read('bin/plant-store.ts')}`);
  const service = await startFromCommandLine(
    { TMPDIR: temporary, TERM: 'xterm' },
    { project: project.folder, command: IN_TERMINAL },
  );
  expect(readdirSync(temporary)).toHaveLength(1);
  const alive = join(project.folder, 'alive');
  const { pid } = JSON.parse(readFileSync(join(service.dataDir, 'emulator.json'), 'utf8'));
  project.save('endless', '');
  project.edit('lib/plant-store-stack.ts', 'Plant Store, stage', 'Plants, stage');
  while (!existsSync(alive)) await sleep(10);

  process.kill(pid, 'SIGHUP');
  while (!service.printed().includes('Stopping')) await sleep(10);
  service.kill(HAS_TERMINAL ? 'SIGKILL' : 'SIGHUP');
  await service.ended;
  rmSync(alive);
  await sleep(100);
  expect(existsSync(alive)).toBe(false);
  expect(readdirSync(temporary)).toEqual([]);
  expect(readdirSync(service.dataDir)).toEqual(['dynamodb']);
  rmSync(service.dataDir, { recursive: true });
  project.remove();
});
