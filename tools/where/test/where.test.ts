import { spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { buildFunction } from '../../../lib/functions/bundle/build.ts';
import { FUNCTION_NAMES } from '../../../lib/names.ts';
import { PROJECT } from '../../../test/support/code-blocks.ts';
import { synthesizedAssembly } from '../../../test/support/synthesized-assembly.ts';
import { HELP, run, where } from '../where.ts';

const folder = mkdtempSync(join(tmpdir(), 'plant-store-where-test-'));
afterAll(() => rmSync(folder, { recursive: true }));

const bundleIn = (name: string) => readFileSync(join(folder, name, 'function.cjs'));

function runWhere(args: readonly string[], input = '') {
  return spawnSync(process.execPath, [join(PROJECT, 'bin/where.ts'), ...args], { input, encoding: 'utf8' });
}

/** Returns the file and the number of the line that contains a text, in the format of `npm run where`. */
function lineOf(file: string, text: string): string {
  const lines = readFileSync(join(PROJECT, file), 'utf8').split('\n');
  return `${file}:${lines.findIndex((line) => line.includes(text)) + 1}`;
}

test.each(FUNCTION_NAMES)('the bundle of %s has the same bytes with and without a source map', (name) => {
  buildFunction(name, join(folder, `${name}-with-map`), { sourceMap: true });
  buildFunction(name, join(folder, name));
  expect(bundleIn(`${name}-with-map`).equals(bundleIn(name))).toBe(true);
});

test('no source map is deployed', () => {
  const assets = globSync('asset.*/*', { cwd: synthesizedAssembly() });
  expect(assets).toContainEqual(expect.stringMatching(/function\.cjs$/));
  expect(assets.filter((file) => file.endsWith('.map'))).toEqual([]);
});

describe('npm run where', () => {
  /** The stack trace that Node prints when a function starts without its environment variables. */
  let crash: string;
  beforeAll(() => {
    const deployed = join(folder, 'deployed');
    buildFunction('authorize', deployed);
    const options = { env: { AWS_REGION: 'us-east-1' }, encoding: 'utf8' } as const;
    crash = spawnSync(process.execPath, [join(deployed, 'index.mjs')], options).stderr;
  });
  const thrower = lineOf('lambda/shared/env.ts', 'throw new Error');
  const caller = lineOf('lambda/authorize/index.ts', "requiredEnv<AuthorizeEnv>('TOKENS_TABLE')");

  test('prints the source files and lines for a stack trace on stdin', () => {
    const { stdout, status } = runWhere([], crash);
    expect(crash).toContain('function.cjs:');
    expect(stdout).toMatch(/^authorize, asset \w+:$/m);
    expect(stdout).toContain(`(${thrower})`);
    expect(stdout).toContain(caller);
    expect(status).toBe(0);
  });

  test('prints the source files and lines for a log line, with the name and asset of the function that wrote it', () => {
    const line = { level: 'ERROR', service: 'authorize', stack: crash.replaceAll(folder, '/var/task') };
    const output = where(JSON.stringify(line));
    const [built] = globSync('asset.*/function.cjs', { cwd: synthesizedAssembly() }).filter((file) =>
      readFileSync(join(synthesizedAssembly(), file)).equals(bundleIn('deployed')),
    );
    const [, assetHash] = built?.match(/asset\.(\w+)/) ?? [];
    expect(output.split('\n')[0]).toBe(`authorize, asset ${assetHash}:`);
    expect(output).toMatch(new RegExp(`^ +at .*${caller}`, 'm'));
    expect(output).not.toContain('create-plant');
  });

  test('prints help with --help, and in a terminal without an argument', async () => {
    const terminal = Object.assign(new PassThrough(), { isTTY: true });
    await expect(run([], terminal)).resolves.toBe(HELP);
    const stdout = expect.stringContaining('npm run where -- function.cjs:26:13474');
    expect(runWhere(['--help'])).toMatchObject({ stdout, stderr: '', status: 0 });
  });

  test('says what to do if no bundle contains the position, or if the input contains no position', () => {
    expect(() => where('"service":"authorize" at function.cjs:99999:1')).toThrow(
      'no bundle contains the position function.cjs:99999:1; check out the deployed commit, and run this again',
    );
    const stderr =
      'where: expected a position such as function.cjs:26:13474, or a log line that contains one\n';
    expect(runWhere(['request-body.ts:14'])).toMatchObject({ stderr, stdout: '', status: 1 });
  });
});
