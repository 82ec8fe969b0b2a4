import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { startFromCommandLine } from '../../../test/support/started-service.ts';
import { succeed } from '../../../test/support/token-command.ts';
import { introduction } from '../introduction.ts';

const project = join(import.meta.dirname, '../../..');

// biome-ignore lint/suspicious/noControlCharactersInRegex: that is what a colour is
const COLOUR = /\u001b\[/;

describe('npm start', () => {
  test('prints a first request and how to issue another token, and logs one line for each request', async () => {
    const plain = { NO_COLOR: undefined, FORCE_COLOR: undefined };
    const { printed, logged, url, token, stop } = await startFromCommandLine(plain);
    const [, dataDir = '', args = ''] = /DATA_DIR=(\S+) npm run token -- (.*)\)/.exec(printed()) ?? [];
    const another = await succeed(args.split(' '), { DATA_DIR: dataDir });
    const [command = ''] = /^ *curl .*'$/ms.exec(printed()) ?? [];
    const env = { PATH: process.env.PATH, BASE_URL: url, ACCESS_TOKEN: token };
    const first = spawnSync('sh', ['-c', command], { env, encoding: 'utf8' }).stdout;
    const second = await post(url, another, '{"id":1,"name":"Oak"}');
    const invalid = await post(url, another, '{"id":1}');
    const rejected = await post(url, 'no-token');
    for (const path of ['/', '/docs/page.js', '/docs/requests', '/docs/tables']) await fetch(`${url}${path}`);
    const unknown = await fetch(`${url}/unknown?x=1`);
    const tooLarge = await fetch(`${url}/plants?{}`);
    await stop();

    expect(printed()).toContain(`${url}/docs`);
    expect(printed()).toContain('Ctrl-C stops it');
    expect(printed()).toContain(`export BASE_URL=${url}\n  export ACCESS_TOKEN=${token}\n`);
    expect(printed().split(token)).toHaveLength(2);
    expect(command.split('\n').filter(({ length }) => length > 100)).toEqual([]);
    expect(first).toMatch(/^HTTP\/1.1 200 OK\r\n/);
    expect(printed()).not.toContain('warning');
    expect(printed()).not.toMatch(COLOUR);
    expect([second, invalid, rejected, unknown, tooLarge].map(({ status }) => status)).toEqual([
      400, 400, 401, 404, 400,
    ]);
    expect(logged().replaceAll(/\d+ ms/g, 'N ms')).toBe(
      [
        'POST /plants 200 N ms [npm start]',
        'POST /plants 400 1004 N ms [NAME]',
        'POST /plants 400 1002 N ms [NAME] name is required',
        'POST /plants 401 2401 N ms',
        'GET /docs 200 N ms',
        'GET /unknown 404 2404 N ms',
        'GET /plants 400 N ms',
        '',
      ].join('\n'),
    );
  });

  test.each(['http://[::]:8000', 'http://[::ffff:0.0.0.0]:8000'])(
    'warns that DynamoDB is open to the network at %s',
    (dynamodbEndpoint) => {
      const printed = introduction(
        { url: 'http://[::]:3000', dynamodbEndpoint, leftOut: new Map() },
        undefined,
        4_249,
      );
      expect(printed).toContain('Plant Store is ready in 4.2 s');
      expect(printed).toContain('warning: it has no credentials');
    },
  );

  test('explains itself, with every variable of the README, if the argument is --help', () => {
    const { stdout, stderr, status } = startWith(['--help']);
    const variables = [...readFileSync(join(project, 'README.md'), 'utf8').matchAll(/^\| `([A-Z_]+)` \|/gm)];
    expect(variables.length).toBeGreaterThan(5);
    expect([...stdout.matchAll(/^ {2}([A-Z_]+) /gm)].map(([, name]) => name)).toEqual(
      variables.map(([, name]) => name),
    );
    expect([status, stderr]).toEqual([0, '']);
  });

  test.each([
    [[], { LOG: 'jsn' }, 'LOG must be json or not set, and is "jsn".\n'],
    [['--inspct'], {}, 'Unknown arguments --inspct; expected --inspect, --inspect=PORT or --help.\n'],
  ])('rejects %j with %j in one line', (args, env, line) => {
    const { stdout, stderr, status } = startWith(args, env);
    expect([status, stdout, stderr]).toEqual([1, '', line]);
  });

  test('warns that DynamoDB is open to the network if HOST is 0.0.0.0', async () => {
    const { printed, stop } = await startFromCommandLine({ HOST: '0.0.0.0' });
    await stop();
    expect(printed()).toContain('warning: it has no credentials');
  });

  test('logs JSON lines only with LOG=json, the metrics included, and colours its introduction', async () => {
    const env = { LOG: 'json', FORCE_COLOR: '1', NO_COLOR: undefined };
    const { printed, logged, url, token, stop } = await startFromCommandLine(env);
    const { headers } = await post(url, token);
    await stop();

    expect(printed()).toMatch(COLOUR);
    expect(logged()).not.toContain(token);
    expect(logged()).not.toContain('Ficus');
    const lines = logged().trim().split('\n');
    const requestId = headers.get('x-amzn-requestid');
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({ service: 'authorize', AllowedRequests: 1 }),
      expect.objectContaining({ service: 'create-plant', PlantsCreated: 1, requestId }),
      expect.objectContaining({
        method: 'POST',
        path: '/plants',
        status: 200,
        client: 'npm start',
        requestId,
      }),
    ]);
  });
});

function startWith(args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  return spawnSync(process.execPath, ['bin/start.ts', ...args], {
    cwd: project,
    encoding: 'utf8',
    env: { ...process.env, ...env },
  });
}

function post(url: string, accessToken: string, body = '{"id":1,"name":"Ficus"}'): Promise<Response> {
  return fetch(`${url}/plants`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${accessToken}`, 'Content-Type': 'application/json' },
    body,
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
    expect.stringMatching(/^Nothing was synthesized: stage must be a lowercase letter, .*; got "Staging"\n$/),
  ]);
});

test('npm preloads require-node.js into every script, and the CDK into its app', () => {
  expect(readFileSync(join(project, '.npmrc'), 'utf8')).toMatch(/^node-options="--import=#require-node"$/m);
  const { app } = JSON.parse(readFileSync(join(project, 'cdk.json'), 'utf8'));
  expect(app).toMatch(/^node --import \.\/bin\/require-node\.js /);
});

test('npx runs a command in a folder of the project', () => {
  const { stderr, status } = spawnSync('npx', ['biome', '--version'], {
    cwd: join(project, 'lambda'),
    encoding: 'utf8',
  });
  expect([status, stderr]).toEqual([0, '']);
});

test('require-node.js names the required Node and its source if none is installed', () => {
  const pretend = `Object.defineProperty(process.versions, 'node', { value: '20.0.0' });`;
  const { stderr, status } = spawnSync(
    process.execPath,
    ['--import', `data:text/javascript,${encodeURIComponent(pretend)}`, 'bin/require-node.js'],
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
  const preloads = [`data:text/javascript,${encodeURIComponent(pretend)}`, './bin/require-node.js'];
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
  cpSync(join(project, 'bin'), join(folder, 'bin'), { recursive: true });
  cpSync(join(project, 'package.json'), join(folder, 'package.json'));
  const { stderr, status } = spawnSync(process.execPath, ['bin/require-node.js'], {
    cwd: folder,
    encoding: 'utf8',
  });
  rmSync(folder, { recursive: true });
  expect([status, stderr]).toEqual([1, expect.stringContaining('run npm ci')]);
});
