import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import inspector from 'node:inspector';
import { dirname, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { settingsFrom } from 'stack-emulator';
import { read } from '../../../test/support/pages/code-blocks.ts';
import {
  START,
  type StartedService,
  startFromCommandLine,
  until,
} from '../../../test/support/project/started-service.ts';
import {
  exampleMethod,
  exampleOperation,
  examplePath,
  exampleStatus,
} from '../../../test/support/service/contract.ts';
import { INVALID_BODY } from '../../contract/example-requests.ts';
import { runToken } from '../../tokens/run-token.ts';
import { openInspector } from '../inspector.ts';
import { HELP } from '../run-service.ts';
import { pauseFunction } from './function-debugger.ts';

describe('npm start', () => {
  let service: StartedService;
  let introduced: string;
  beforeAll(async () => {
    // DynamoDB's is the first thread that starts.
    const preload = `process.once('worker', (dynamodb) => process.on('SIGUSR2', () => dynamodb.terminate()))`;
    const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(preload)}`;
    const env = { NO_COLOR: undefined, FORCE_COLOR: undefined, NODE_OPTIONS };
    service = await startFromCommandLine(env, { command: [...START, '--inspect=0'] });
    introduced = service.printed();
  });
  afterAll(() => service.stop());

  const withToken = (token: string) => service.send({ token, body: INVALID_BODY });

  test('prints a command that sends an example request, and logs its success', async () => {
    const [command = ''] = /^ *curl .*?'\n/ms.exec(introduced) ?? [];
    const env = { PATH: process.env.PATH, BASE_URL: service.url, ACCESS_TOKEN: service.token };
    const { stdout } = spawnSync('sh', ['-c', command], { env, encoding: 'utf8' });
    expect(stdout).toMatch(`HTTP/1.1 ${exampleStatus} `);
    // Without this line in the log, the test times out.
    const line = new RegExp(
      `^${exampleMethod} \\S+ ${exampleStatus} \\d+ ms \\[npm start\\]$`,
      'm',
    );
    await until(() => line.test(service.logged()));
  });

  test('prints a command that issues another token', async () => {
    const [, args = ''] = /npm run token -- (.*)\)/.exec(introduced) ?? [];
    const another = await runToken(args.split(' '), { DATA_DIR: service.dataDir });
    expect(await withToken(another.stdout)).toMatchObject({ status: 400, body: { error: 1002 } });
  });

  test('issues a token for one day', async () => {
    const { stdout } = await runToken(['list', '--local'], { DATA_DIR: service.dataDir });
    const { issuedAt, expiresAt } = JSON.parse(/^.*"npm start".*$/m.exec(stdout)?.[0] ?? '');
    expect(Date.parse(expiresAt) - Date.parse(issuedAt)).toBe(24 * 60 * 60 * 1_000);
  });

  test('prints the token once, and neither warnings nor colors into a pipe', () => {
    expect(introduced.split(service.token)).toHaveLength(2);
    for (const unexpected of ['warning', '\u001b[']) expect(introduced).not.toContain(unexpected);
  });

  test('logs each request in a line with its result, its client and the reason for a rejection', async () => {
    const { url, token } = service;
    const unknown = `${token.slice(0, -1)}${token.endsWith('0') ? '1' : '0'}`;
    await fetch(`${url}/first`);
    await service.send({ body: '' });
    await withToken('no-token');
    await withToken(unknown);
    for (const path of ['/unknown?x=1', '/last?{}']) await fetch(`${url}${path}`);
    // Waits for the line of the last request; without it, the test times out.
    await until(() => service.logged().includes('GET /last '));

    const [, logged = ''] = service.logged().split(/^GET \/first .*\n/m);
    const request = `${exampleMethod} ${examplePath}`;
    expect(logged.replaceAll(/\d+ ms/g, 'N ms').split('\n')).toEqual([
      `${request} 400 1001 N ms [npm start] the request has no body`,
      `${request} 401 2401 N ms a valid access token is required`,
      '  The token is missing or malformed.',
      `${request} 401 2401 N ms a valid access token is required`,
      '  The authorizer rejected the token: it is unknown, expired or not for this service.',
      'GET /unknown 404 2404 N ms no such route',
      'GET /last 400 N ms Bad Request',
      '',
    ]);
  });

  test('--inspect lets a debugger pause a function, whose source map names the files in lambda/', async () => {
    const [inspectorUrl = ''] = /ws:\S+/.exec(introduced) ?? [];
    const debugged = await pauseFunction(inspectorUrl, exampleOperation.functionName);
    const response = service.send({ body: INVALID_BODY });
    await debugged.paused;
    debugged.resume();
    expect(await response).toMatchObject({ status: 400, body: { error: 1002 } });

    const { sources }: { sources: string[] } = JSON.parse(
      readFileSync(`${debugged.file}.map`, 'utf8'),
    );
    expect(sources.map((source) => resolve(dirname(debugged.file), source))).toContain(
      resolve(`lambda/${exampleOperation.functionName}/index.ts`),
    );
  });

  test('exits with 1 when DynamoDB ends unexpectedly', async () => {
    service.kill('SIGUSR2');
    await service.ended;
    expect(await service.stop()).toBe(1);
    expect(service.logged()).toContain('The embedded DynamoDB ended unexpectedly');
  });
});

test.each([['--inspct'], ['--inspect=x'], ['--inspect=65536'], ['--inspect', '--help']])(
  'npm start rejects the arguments %j',
  (...args) => {
    expect(() => openInspector(args)).toThrow(
      `Expected --inspect, --inspect=PORT or --help, got ${args.join(' ')}`,
    );
  },
);

test('npm start -- --inspect listens on the port that --help names and to which VS Code attaches', () => {
  const open = jest.spyOn(inspector, 'open').mockReturnThis();
  expect(() => openInspector(['--inspect'])).toThrow('is in use: select a different port');
  const [{ port }] = JSON.parse(read('.vscode/launch.json')).configurations;
  expect(open).toHaveBeenCalledWith(port, '127.0.0.1');
  expect(HELP).toContain(`port ${port}`);
});

test('npm start -- --help lists exactly the environment variables that npm start reads', () => {
  const { stdout, stderr, status } = spawnSync(process.execPath, ['bin/start.ts', '--help'], {
    encoding: 'utf8',
  });
  const used = new Set<string | symbol>();
  const get = (_: object, name: string | symbol) => void used.add(name);
  settingsFrom(new Proxy({}, { get }), '.data');
  const listed = [...stdout.matchAll(/^ {2}([A-Z_]+) /gm)].map(([, name = '']) => name);
  expect(listed.sort()).toEqual([...used].sort());
  expect([status, stderr]).toEqual([0, '']);
});
