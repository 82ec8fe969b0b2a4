import { spawnSync } from 'node:child_process';
import { expect, test } from '@jest/globals';
import { commandLine } from '../../tokens/command-line.ts';

test.each([
  ['deployed', {}, { DATA_DIR: '/data' }, 'npm run token -- list'],
  ['of a name', { stage: 'prod' }, {}, 'npm run token -- list --stage prod'],
  ['local', { local: true }, {}, 'npm run token -- list --local'],
  ['local, elsewhere', { local: true }, { DATA_DIR: '../b' }, 'DATA_DIR=../b npm run token -- list --local'],
])('a command for the stage that is %s', (_, target, env, line) => {
  expect(commandLine('list', target, env)).toBe(line);
});

test.each(["my plants' data", '$HOME/x', 'a;b'])('a shell reads the folder %s back', (folder) => {
  const line = commandLine('list', { local: true }, { DATA_DIR: folder });
  const script = `npm() { printf %s "$DATA_DIR"; }\n${line}`;
  expect(spawnSync('sh', ['-c', script], { encoding: 'utf8' }).stdout).toBe(folder);
});
