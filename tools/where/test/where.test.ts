import { spawnSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import { buildFunction } from '../../../lib/functions/bundle/build.ts';
import { synthesizedAssembly } from '../../../test/support/assembly/synthesized-assembly.ts';
import { PROJECT } from '../../../test/support/pages/code-blocks.ts';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { where } from '../where.ts';

const folder = temporaryFolder();
/** The stack trace that Node prints when a function starts without its environment variables. */
let crash: string;
beforeAll(() => {
  buildFunction('authorize', folder);
  const options = { env: { AWS_REGION: 'us-east-1' }, encoding: 'utf8' } as const;
  crash = spawnSync(process.execPath, [join(folder, 'index.mjs')], options).stderr;
});

const thrower = lineOf('lambda/shared/env.ts', 'throw new Error');

/** Returns the file and the number of the line that contains a text, in the format of `npm run where`. */
function lineOf(file: string, text: string): string {
  const lines = readFileSync(join(PROJECT, file), 'utf8').split('\n');
  return `${file}:${lines.findIndex((line) => line.includes(text)) + 1}`;
}

function runWhere(args: readonly string[], input = '') {
  return spawnSync(process.execPath, [join(PROJECT, 'bin/where.ts'), ...args], {
    input,
    encoding: 'utf8',
  });
}

test('npm run where prints the source files and lines for a log line on stdin, with the name and the deployed asset of the function that wrote it', () => {
  const line = {
    level: 'ERROR',
    service: 'authorize',
    stack: crash.replaceAll(folder, '/var/task'),
  };
  const { stdout, stderr, status } = runWhere([], JSON.stringify(line));
  expect([status, stderr]).toEqual([0, '']);
  const [, assetHash] = /^authorize, asset (\w+):\n/.exec(stdout) ?? [];
  expect(existsSync(join(synthesizedAssembly(), `asset.${assetHash}`, 'function.cjs'))).toBe(true);
  expect(stdout).toContain(`(${thrower})`);
  expect(stdout.match(/, asset /g)).toHaveLength(1);
});

test('where finds the source line for a position without the name of a function', () => {
  const [position = ''] = /function\.cjs:\d+:\d+/.exec(crash.slice(crash.indexOf(' at '))) ?? [];
  expect(where(position)).toMatch(new RegExp(`^authorize, asset \\w+:\n${thrower}$`, 'm'));
});

test('no source map is deployed', () => {
  expect(globSync('asset.*/*.map', { cwd: synthesizedAssembly() })).toEqual([]);
});

test('npm run where prints help, or says what to do if no bundle contains the position or there is none', () => {
  const stdout = expect.stringContaining('npm run where -- function.cjs:26:13474');
  expect(runWhere(['--help'])).toMatchObject({ stdout, stderr: '', status: 0 });
  expect(() => where('"service":"authorize" at function.cjs:99999:1')).toThrow(
    'no bundle contains the position function.cjs:99999:1; check out the deployed commit, and run this again',
  );
  const stderr =
    'where: expected a position such as function.cjs:26:13474, or a log line that contains one\n';
  expect(runWhere(['request-body.ts:14'])).toMatchObject({ stderr, stdout: '', status: 1 });
});
