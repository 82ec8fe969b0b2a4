import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type StartedService, startFromCommandLine } from '../../../test/support/started-service.ts';
import { succeed } from '../../../test/support/token-command.ts';
import { openInspector } from '../debugger.ts';
import { introduction } from '../introduction.ts';
import { breakAt } from './function-debugger.ts';

const project = join(import.meta.dirname, '../../..');

// Each test continues from the previous one.
describe('npm start -- --inspect, run through npm,', () => {
  const temporary = mkdtempSync(join(tmpdir(), 'plant-store-start-'));
  let service: StartedService;
  beforeAll(async () => {
    const env = { TMPDIR: temporary, NO_COLOR: undefined, FORCE_COLOR: undefined };
    const command = ['npm', '--silent', '--script-shell=bash', 'start', '--', '--inspect=0'];
    service = await startFromCommandLine(env, { command });
  });
  afterAll(() => {
    for (const folder of [temporary, service.dataDir]) rmSync(folder, { recursive: true });
  });

  test('prints an example request and how to issue another token, and logs one line for each request', async () => {
    const { printed, logged, url, token } = service;
    const [, args = ''] = /npm run token -- (.*)\)/.exec(printed()) ?? [];
    const another = await succeed(args.split(' '), { DATA_DIR: service.dataDir });
    const [command = ''] = /^ *curl .*?'\n/ms.exec(printed()) ?? [];
    const env = { PATH: process.env.PATH, BASE_URL: url, ACCESS_TOKEN: token };
    const first = spawnSync('sh', ['-c', command], { env, encoding: 'utf8' }).stdout;
    await post(url, another, '{"id":1,"name":"Oak"}');
    await post(url, another, '{"id":1}');
    await post(url, 'no-token');
    await post(url, `${token.slice(0, -1)}${token.endsWith('0') ? '1' : '0'}`);
    for (const path of ['/', '/docs/page.js']) await fetch(`${url}${path}`);
    await fetch(`${url}/unknown?x=1`);
    await fetch(`${url}/plants?{}`);
    // Waits for the line of the last request; without it, the test times out.
    while (!logged().includes('GET /plants ')) await sleep(10);

    expect(printed()).toMatch(/Press Ctrl-C to stop it\.(.|\n)*\/docs/);
    expect(printed()).toContain(`export BASE_URL=${url}\n  export ACCESS_TOKEN=${token}\n`);
    expect(printed().split(token)).toHaveLength(2);
    expect(command.split('\n').filter(({ length }) => length > 100)).toEqual([]);
    expect(first).toMatch(/^HTTP\/1.1 200 OK\r\n/);
    for (const unexpected of ['warning', '\u001b[']) expect(printed()).not.toContain(unexpected);
    expect(logged().replaceAll(/\d+ ms/g, 'N ms')).toBe(
      [
        'POST /plants 200 N ms [npm start]',
        'POST /plants 400 1004 N ms [NAME] another plant has this id',
        'POST /plants 400 1002 N ms [NAME] name is required',
        'POST /plants 401 2401 N ms a valid access token is required',
        '  The token is missing or malformed.',
        'POST /plants 401 2401 N ms a valid access token is required',
        '  The authorizer rejected the token: it is unknown, expired or not for this service.',
        'GET /unknown 404 2404 N ms no such route',
        'GET /plants 400 N ms',
        '',
      ].join('\n'),
    );
  });

  test('pauses a request at a breakpoint in create-plant.ts', async () => {
    const [inspectorUrl = ''] = /ws:\S+/.exec(service.printed()) ?? [];
    const functions = await breakAt(inspectorUrl, 'await put({ id');
    const paused = functions.nextPause();
    const response = post(service.url, service.token);
    expect(await paused).toMatch(/create-plant\/create-plant\.ts:\d+$/);
    functions.resume();
    expect((await response).status).toBe(400);
  });

  // In `npm start | tee plant-store.log`, Ctrl-C ends tee first.
  // npm sends SIGTERM to its shell. Unlike others, bash has replaced itself with the command by then.
  test('exits and leaves no file behind when npm gets SIGTERM, even if nobody reads its output', async () => {
    expect(readdirSync(temporary)).toHaveLength(1);
    service.stopReading();
    // Every request is logged, so every request writes to the closed output.
    for (const path of ['/first', '/second']) await fetch(`${service.url}${path}`);
    service.kill('SIGTERM');
    while (readdirSync(temporary).length > 0) await sleep(20);
    while (existsSync(join(service.dataDir, 'emulator.json'))) await sleep(20);
  });
});

describe('npm start', () => {
  test.each([
    ['http://localhost:3000', true],
    ['http://172.17.0.1:3000', false],
    ['http://[::]:3000', false],
  ])('prints the address of the page only if it is served there: at %s, %s', (url, isServed) => {
    const printed = introduction({ url, dynamodbEndpoint: url, leftOut: new Map() }, undefined, 4_249);
    expect(printed).toContain('Plant Store is ready in 4.2 s');
    expect(printed.includes('/docs\n')).toBe(isServed);
  });

  test('lists the same environment variables as the README when run with --help', () => {
    const options = { cwd: project, encoding: 'utf8' } as const;
    const { stdout, stderr, status } = spawnSync(process.execPath, ['bin/start.ts', '--help'], options);
    const variables = [...readFileSync(join(project, 'README.md'), 'utf8').matchAll(/^\| `([A-Z_]+)` \|/gm)];
    expect(variables.length).toBeGreaterThan(5);
    expect([...stdout.matchAll(/^ {2}([A-Z_]+) /gm)].map(([, name]) => name)).toEqual(
      variables.map(([, name]) => name),
    );
    expect([status, stderr]).toEqual([0, '']);
  });

  test.each([['--inspct'], ['--inspect=x'], ['--inspect=65536'], ['--inspect', '--help']])(
    'rejects the arguments %j',
    (...args) => {
      expect(() => openInspector(args)).toThrow(
        `Expected --inspect, --inspect=PORT or --help, got ${args.join(' ')}`,
      );
    },
  );
});

function post(url: string, accessToken: string, body = '{"id":1,"name":"Ficus"}'): Promise<Response> {
  return fetch(`${url}/plants`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${accessToken}`, 'Content-Type': 'application/json' },
    body,
  });
}
