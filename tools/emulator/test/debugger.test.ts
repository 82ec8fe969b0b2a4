import { spawnSync } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { writeAssembly } from './fixtures/assembly.ts';
import { arnOf, method, restApi } from './fixtures/resources.ts';

// Node crashes in a third of the stops if a thread ends while the threads are listed.
test('the emulator stops ten times in a process that a debugger can attach to', async () => {
  const ids = ['A', 'B', 'C', 'D', 'E', 'F'];
  const functions = Object.fromEntries(ids.map((id) => [id, 'exports.handler = () => {};']));
  const resources = Object.assign(restApi(), ...ids.map((id) => method(id, 'GET', arnOf(id))));
  const assembly = await writeAssembly({ functions, resources });
  const script = `
    import { open } from 'node:inspector';
    import { RunningStack } from './running-stack.ts';
    open(0, '127.0.0.1');
    for (let count = 0; count < 10; count += 1) {
      const stack = new RunningStack(console.log);
      await stack.run({ assembly: process.argv[1] }, 'http://127.0.0.1:1');
      await stack.stop();
    }
    process.exit();`;
  const args = ['--input-type=module', '--eval', script, assembly];
  const { status, signal } = spawnSync(process.execPath, args, { cwd: join(import.meta.dirname, '..') });
  await rm(assembly, { recursive: true });
  expect([status, signal]).toEqual([0, null]);
});
