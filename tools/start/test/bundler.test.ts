import { spawnSync } from 'node:child_process';
import { beforeAll, expect, test } from '@jest/globals';
import { copyProject } from '../../../test/support/edited-project.ts';

// Edits a copy of the project, in which lambda/ is a symbolic link, while a bundler of its own builds it.
const script = `
  import { ChildProcess } from 'node:child_process';
  import { once } from 'node:events';
  import { readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
  import { Bundler } from './tools/start/bundler.ts';

  renameSync('lambda', 'code');
  symlinkSync('code', 'lambda', 'junction');
  let esbuild;
  const { spawn, kill } = ChildProcess.prototype;
  ChildProcess.prototype.spawn = function (options) {
    esbuild = this;
    return spawn.call(this, options);
  };
  const builds = process.cwd() + '/builds';
  const bundler = new Bundler(builds);
  let last = await bundler.build();
  const changed = async () => {
    const before = last;
    last = await bundler.build(before.bundles);
    const isNew = (bundle) => !before.bundles.includes(bundle);
    return [...last.bundles.filter(isNew).map(({ name }) => name), ...(last.stack === before.stack ? [] : ['stack'])];
  };
  const append = (file, code) => writeFileSync(file, readFileSync(file, 'utf8') + code);
  const [entry, other] = ['lambda/create-plant/index.ts', 'lambda/authorize/handler.ts'];
  const good = readFileSync(entry, 'utf8');
  const results = {};

  append(entry, 'process.env.SAVED = "once";');
  results.source = await changed();
  append('lambda/index.mjs', '// Saved.');
  results.loader = await changed();
  append('lambda/shared/tokens/access-token.ts', 'console.log("imported by lib/");');
  results.imported = await changed();
  append('lib/names.ts', 'console.log("saved in lib/");');
  results.lib = await changed();

  append(entry, '\\nconst broken = ;');
  append(other, 'process.env.SAVED = "once";');
  results.error = await changed().catch(({ message }) => message);
  writeFileSync(entry, good);
  results.repaired = await changed();

  rmSync(builds, { recursive: true });
  results.cleaned = await changed();

  esbuild.ref();
  const ended = once(esbuild, 'exit');
  kill.call(esbuild, 'SIGKILL');
  await ended;
  append(entry, 'process.env.SAVED = "twice";');
  results.killed = await changed().catch(({ message }) => message);
  results.revived = await changed();

  // The end of its input comes first, and while it waits for the response to its ping of each second.
  ChildProcess.prototype.kill = () => true;
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1500);
  const stopped = once(esbuild, 'exit');
  // Even during a build.
  bundler.build().catch(() => {});
  await bundler.stop();
  esbuild.ref();
  results.exit = await stopped;
  console.log(JSON.stringify(results));`;

let results: Record<string, unknown>;
let stderr: string;
beforeAll(() => {
  const project = copyProject();
  const args = ['--input-type=module', '-e', script];
  const child = spawnSync(process.execPath, args, {
    cwd: project.folder,
    encoding: 'utf8',
    timeout: 50_000,
  });
  project.remove();
  stderr = child.stderr;
  results = JSON.parse(child.stdout || '{}');
});

test.each([
  ['the function whose source is saved, and returns the others as they were', 'source', ['create-plant']],
  ['every function when their loader is saved', 'loader', ['create-plant', 'authorize', 'authorize-oidc']],
  [
    'functions, and another stack, when a file that lib/ imports is saved',
    'imported',
    ['authorize', 'stack'],
  ],
  ['no function, but another stack, when lib/ is saved', 'lib', ['stack']],
  ['what is saved after an error', 'repaired', ['create-plant', 'authorize']],
  ['every function when its folder was removed', 'cleaned', ['create-plant', 'authorize', 'authorize-oidc']],
  ['what is saved after the process of esbuild was killed', 'revived', ['create-plant']],
])('the bundler builds %s', (_, what, expected) => {
  expect(results[what]).toEqual(expected);
});

test('the bundler fails with a code frame, and names the end of the process of esbuild', () => {
  expect(results.error).toContain('│ const broken = ;');
  expect(results.killed).toMatch(/^The service (was stopped|is no longer running)/);
});

test('the bundler ends the process of esbuild without a message of it', () => {
  expect({ exit: results.exit, stderr }).toEqual({ exit: [0, null], stderr: '' });
});
