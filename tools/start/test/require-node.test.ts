import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, realpathSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { expect, test } from '@jest/globals';
import { read } from '../../../test/support/pages/code-blocks.ts';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';

// A relative path would fail in subfolders of the project.
test('npm preloads require-node.js into every script, and the CDK preloads it into the app', () => {
  expect(read('.npmrc')).toMatch(/^node-options="--import=#require-node"$/m);
  const { app } = JSON.parse(read('cdk.json'));
  expect(app).toMatch(/^node --import[ =]\.\/bin\/require-node\.js /);
});

/** Runs a command on a simulated Node 20 with this path, until require-node.js runs the command again. */
function onNode20(execPath: string, ...args: readonly string[]) {
  const pretend = `if (!process.env.PRETENDED) {
    process.env.PRETENDED = 'yes';
    process.execPath = ${JSON.stringify(execPath)};
    Object.defineProperty(process.versions, 'node', { value: '20.0.0' });
  }`;
  const preload = `data:text/javascript,${encodeURIComponent(pretend)}`;
  return spawnSync(process.execPath, ['--import', preload, ...args], { encoding: 'utf8' });
}

// For some platforms, npm does not install Node.
const isInstalled = readdirSync('node_modules').some((name) =>
  /^node-(linux|darwin|win)-/.test(name),
);
(isInstalled ? test : test.skip)(
  'require-node.js runs the command again with the installed Node 24, and puts that Node first on the PATH',
  () => {
    const script = join(temporaryFolder(), 'script.cjs');
    const print =
      'console.log(JSON.stringify([process.versions.node, process.env.PATH, process.argv[2]]))';
    writeFileSync(script, `${print}; process.exit(7);`);
    const { stdout, status } = onNode20(
      '/old/node',
      '--import',
      './bin/require-node.js',
      script,
      'an argument',
    );
    const [version, path, argument] = JSON.parse(stdout);
    expect(Number.parseInt(version, 10)).toBeGreaterThanOrEqual(24);
    expect(realpathSync(path.split(delimiter)[0])).toMatch(
      /node_modules.node-[a-z]+-[a-z0-9]+.bin$/,
    );
    expect([argument, status]).toEqual(['an argument', 7]);
    writeFileSync(script, `process.kill(process.ppid, 'SIGTERM'); setTimeout(() => {}, 20_000);`);
    expect(onNode20('/old/node', '--import', './bin/require-node.js', script).status).toBe(1);
  },
);

/** Returns the path of require-node.js in a project without packages. */
function copyWithoutPackages(): string {
  const project = temporaryFolder();
  for (const file of ['bin/require-node.js', 'package.json']) cpSync(file, join(project, file));
  return join(project, 'bin/require-node.js');
}

test('require-node.js prints how to install missing packages', () => {
  const { stderr, status } = spawnSync(process.execPath, [copyWithoutPackages()], {
    encoding: 'utf8',
  });
  expect([status, stderr]).toEqual([1, expect.stringContaining('run npm ci')]);
});

test.each([
  ['npm installed none', '/old/node'],
  ['the installed one is too old', process.execPath],
])('require-node.js prints which Node version is required if %s', (_why, execPath) => {
  const script = execPath === process.execPath ? 'bin/require-node.js' : copyWithoutPackages();
  mkdirSync(join(script, '../../node_modules'), { recursive: true });
  const { stderr, status } = onNode20(execPath, script);
  expect([status, stderr]).toEqual([
    1,
    expect.stringMatching(/^Plant Store requires Node 24 .*https:.*\n$/),
  ]);
});
