import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { startFromCommandLine } from '../support/started-service.ts';
import { succeed } from '../tokens/token-command.ts';

const project = join(import.meta.dirname, '../..');

// biome-ignore lint/suspicious/noControlCharactersInRegex: that is what a colour is
const COLOUR = /\u001b\[/;

describe('npm start', () => {
  test.each([
    ['a pipe', { NO_COLOR: undefined, FORCE_COLOR: undefined }, false],
    ['what FORCE_COLOR calls a terminal', { NO_COLOR: undefined, FORCE_COLOR: '1' }, true],
  ])(
    'into %s says where it is and what to do first; in colour: %p',
    async (_to, env, coloured) => {
      const { printed: all, url, token, stop } = await startFromCommandLine(env);
      await stop();
      const printed = all();

      expect(printed).toContain(`${url}/docs`);
      expect(printed).toMatch(new RegExp(`curl -i ${url}/plants .*${token}`));
      expect(printed).toContain('Ctrl-C stops it');
      expect(COLOUR.test(printed)).toBe(coloured);
    },
    30_000,
  );

  test('prints its functions’ log where it prints the token, and says how to get another', async () => {
    const { printed, url, token, stop } = await startFromCommandLine();
    const [, dataDir = '', args = ''] = /DATA_DIR=(\S+) npm run token -- (.*)\)/.exec(printed()) ?? [];
    const another = await succeed(args.split(' '), { DATA_DIR: dataDir });
    const [first, second] = await Promise.all([token, another].map((accessToken) => post(url, accessToken)));
    await stop();

    expect([first?.status, second?.status]).toEqual([200, 200]);
    expect(another).not.toBe(token);
    expect(printed()).toContain(first?.headers.get('x-amzn-requestid'));
  }, 30_000);
});

function post(url: string, accessToken: string): Promise<Response> {
  return fetch(`${url}/plants`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${accessToken}`, 'Content-Type': 'application/json' },
    body: '{"id":1,"name":"Ficus"}',
  });
}

test('an option that cannot be is one line, with what it may be', () => {
  const { stderr, status } = spawnSync(process.execPath, ['bin/plant-store.ts'], {
    cwd: project,
    encoding: 'utf8',
    env: { ...process.env, CDK_CONTEXT_JSON: '{"stage":"staging"}' },
  });
  expect([status, stderr]).toEqual([
    1,
    expect.stringMatching(/^Nothing was synthesized: stage must be dev or prod, not "staging": .*\n$/),
  ]);
});

test('every script of npm, and the app of the CDK, first looks whether it can run', () => {
  const { scripts } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'));
  const { app } = JSON.parse(readFileSync(join(project, 'cdk.json'), 'utf8'));
  const blind = Object.values({ ...scripts, app }).filter(
    (command) => !/^node (--import \.\/)?scripts\/require-node\.js /.test(String(command)),
  );
  expect(blind).toEqual([]);
});

test('on another Node, it says which it needs and where that is from', () => {
  const pretend = `Object.defineProperty(process.versions, 'node', { value: '20.0.0' });`;
  const { stderr, status } = spawnSync(
    process.execPath,
    ['--import', `data:text/javascript,${encodeURIComponent(pretend)}`, 'scripts/require-node.js'],
    { cwd: project, encoding: 'utf8' },
  );
  expect([status, stderr]).toEqual([1, expect.stringMatching(/^Plant Store runs on Node 24, .*https:.*\n$/)]);
});

test('on another Node, it runs the command again on that of the packages, which is then first on the PATH', () => {
  const folder = mkdtempSync(join(tmpdir(), 'plant-store-node-'));
  const anotherNode = join(folder, 'node');
  cpSync(process.execPath, anotherNode);
  const script = join(folder, 'script.cjs');
  writeFileSync(
    script,
    `console.log(JSON.stringify([process.execPath, process.env.PATH, process.argv[2]])); process.exit(7);`,
  );
  const pretend = `if (!process.env.PRETENDED) {
    process.env.PRETENDED = 'yes';
    Object.defineProperty(process.versions, 'node', { value: '20.0.0' });
  }`;
  const preloads = [`data:text/javascript,${encodeURIComponent(pretend)}`, './scripts/require-node.js'];
  const { stdout, status } = spawnSync(
    anotherNode,
    [...preloads.flatMap((preload) => ['--import', preload]), script, 'an argument'],
    { cwd: project, encoding: 'utf8' },
  );
  rmSync(folder, { recursive: true });
  // npm has no Node for every platform.
  const brought = readdirSync(join(project, 'node_modules')).some((name) =>
    /^node-(linux|darwin|win)-/.test(name),
  );
  expect(status).toBe(brought ? 7 : 1);
  if (!brought) return;
  const [execPath, path, argument] = JSON.parse(stdout);
  expect(execPath).toMatch(/node_modules.node-[a-z]+-[a-z0-9]+.bin.node/);
  expect(path.startsWith(dirname(execPath))).toBe(true);
  expect(argument).toBe('an argument');
});

test('where the packages are not installed, it says how to', () => {
  const folder = mkdtempSync(join(tmpdir(), 'plant-store-clone-'));
  cpSync(join(project, 'scripts'), join(folder, 'scripts'), { recursive: true });
  cpSync(join(project, 'package.json'), join(folder, 'package.json'));
  const { stderr, status } = spawnSync(process.execPath, ['scripts/require-node.js'], {
    cwd: folder,
    encoding: 'utf8',
  });
  rmSync(folder, { recursive: true });
  expect([status, stderr]).toEqual([1, expect.stringContaining('run npm ci')]);
});
