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
    ['a terminal, according to FORCE_COLOR', { NO_COLOR: undefined, FORCE_COLOR: '1' }, true],
  ])('prints its address and a first request to %s; in colour: %p', async (_to, env, coloured) => {
    const { printed: all, url, token, stop } = await startFromCommandLine(env);
    await stop();
    const printed = all();

    expect(printed).toContain(`${url}/docs`);
    expect(printed).toMatch(new RegExp(`curl -i ${url}/plants .*${token}`));
    expect(printed).toContain('Ctrl-C stops it');
    expect(printed).not.toContain('warning');
    expect(COLOUR.test(printed)).toBe(coloured);
  });

  test('warns that DynamoDB is open to the network if HOST is 0.0.0.0', async () => {
    const { printed, stop } = await startFromCommandLine({ HOST: '0.0.0.0' });
    await stop();
    expect(printed()).toContain('warning: it has no credentials');
  });

  test('prints the functions’ log and how to issue another token', async () => {
    const { printed, url, token, stop } = await startFromCommandLine();
    const [, dataDir = '', args = ''] = /DATA_DIR=(\S+) npm run token -- (.*)\)/.exec(printed()) ?? [];
    const another = await succeed(args.split(' '), { DATA_DIR: dataDir });
    const [first, second] = await Promise.all([token, another].map((accessToken) => post(url, accessToken)));
    await stop();

    expect([first?.status, second?.status]).toEqual([200, 200]);
    expect(another).not.toBe(token);
    expect(printed()).toContain(first?.headers.get('x-amzn-requestid'));
  });
});

function post(url: string, accessToken: string): Promise<Response> {
  return fetch(`${url}/plants`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${accessToken}`, 'Content-Type': 'application/json' },
    body: '{"id":1,"name":"Ficus"}',
  });
}

test('an invalid CDK option is reported in one line with the valid values', () => {
  const output = mkdtempSync(join(tmpdir(), 'plant-store-output-'));
  const { stderr, status } = spawnSync(process.execPath, ['bin/plant-store.ts'], {
    cwd: project,
    encoding: 'utf8',
    env: { ...process.env, CDK_CONTEXT_JSON: '{"stage":"Staging"}', CDK_OUTDIR: output },
  });
  rmSync(output, { recursive: true });
  expect([status, stderr]).toEqual([
    1,
    expect.stringMatching(/^Nothing was synthesized: stage must be a lowercase letter, .*, not "Staging"\n$/),
  ]);
});

test('npm preloads require-node.js into every script, and the CDK into its app', () => {
  expect(readFileSync(join(project, '.npmrc'), 'utf8')).toMatch(
    /^node-options=--import=\.\/scripts\/require-node\.js$/m,
  );
  const { app } = JSON.parse(readFileSync(join(project, 'cdk.json'), 'utf8'));
  expect(app).toMatch(/^node --import \.\/scripts\/require-node\.js /);
});

test('require-node.js names the required Node and its source if none is installed', () => {
  const pretend = `Object.defineProperty(process.versions, 'node', { value: '20.0.0' });`;
  const { stderr, status } = spawnSync(
    process.execPath,
    ['--import', `data:text/javascript,${encodeURIComponent(pretend)}`, 'scripts/require-node.js'],
    { cwd: project, encoding: 'utf8' },
  );
  expect([status, stderr]).toEqual([1, expect.stringMatching(/^Plant Store requires Node 24 .*https:.*\n$/)]);
});

test('require-node.js runs the command again with the installed Node 24, first on the PATH', () => {
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
  // Not every platform has a Node package.
  const installed = readdirSync(join(project, 'node_modules')).some((name) =>
    /^node-(linux|darwin|win)-/.test(name),
  );
  expect(status).toBe(installed ? 7 : 1);
  if (!installed) return;
  const [execPath, path, argument] = JSON.parse(stdout);
  expect(execPath).toMatch(/node_modules.node-[a-z]+-[a-z0-9]+.bin.node/);
  expect(path.startsWith(dirname(execPath))).toBe(true);
  expect(argument).toBe('an argument');
});

test('require-node.js says how to install missing packages', () => {
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
