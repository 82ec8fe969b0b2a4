import { spawnSync } from 'node:child_process';
import { expect, test } from '@jest/globals';
import { commandLine } from '../arguments.ts';

test.each([
  ['the default stage', {}, { DATA_DIR: '/data' }, 'npm run token -- list'],
  ['a deployed stage', { stage: 'prod' }, {}, 'npm run token -- list --stage prod'],
  ['the emulator', { local: true }, {}, 'npm run token -- list --local'],
  [
    'an emulator with its own data folder',
    { local: true },
    { DATA_DIR: '../b' },
    'DATA_DIR=../b npm run token -- list --local',
  ],
])('commandLine targets %s', (_, target, env, line) => {
  expect(commandLine('list', target, env)).toBe(line);
});

test.each(["my plants' data", '$HOME/x', 'a;b'])(
  'commandLine quotes the data folder %s for a shell',
  (folder) => {
    const line = commandLine('list', { local: true }, { DATA_DIR: folder });
    const script = `npm() { printf %s "$DATA_DIR"; }\n${line}`;
    expect(spawnSync('sh', ['-c', script], { encoding: 'utf8' }).stdout).toBe(folder);
  },
);
