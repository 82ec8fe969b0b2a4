import { spawnSync } from 'node:child_process';
import { expect, test } from '@jest/globals';
import { localCommandLine } from '../arguments.ts';

test.each([
  [{}, 'npm run token -- list --local'],
  [{ DATA_DIR: '../b' }, 'DATA_DIR=../b npm run token -- list --local'],
])('localCommandLine is about the emulator with the environment %j', (env, line) => {
  expect(localCommandLine('list', env)).toBe(line);
});

test.each(["my plants' data", '$HOME/x', 'a;b'])('localCommandLine quotes %s for a shell', (folder) => {
  const script = `npm() { printf %s "$DATA_DIR"; }\n${localCommandLine('list', { DATA_DIR: folder })}`;
  expect(spawnSync('sh', ['-c', script], { encoding: 'utf8' }).stdout).toBe(folder);
});
