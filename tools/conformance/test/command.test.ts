import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { announceEmulator } from '@plant-store/emulator';
import { PROJECT } from '../../../test/support/pages/code-blocks.ts';
import { command, outcomeOf, runScript } from '../../../test/support/project/run-command.ts';
import { startCloudFormation } from '../../../test/support/servers/cloudformation.ts';
import { type Service, startService } from '../../../test/support/service/service.ts';
import { abortedOnInterrupt } from '../../operator/run-command.ts';
import { tokenStoreOf } from '../../tokens/token-store.ts';
import { HELP, run } from '../cli.ts';
import { FIRST_ID, LAST_ID, METHOD, PATH, type Row, SMALLEST_ID } from '../row.ts';
import { rows } from '../rows/index.ts';
import { httpResponse, startLyingServer } from './lying-server.ts';

let service: Service;
let local: Record<string, string>;
beforeAll(async () => {
  service = await startService();
  await announceEmulator(service.dataDir, service.emulator);
  local = { DATA_DIR: service.dataDir };
});
afterAll(() => service.stop());

const { signal } = new AbortController();
const print = () => {};

async function tokensLeft(): Promise<unknown[]> {
  const { dynamodb, emulator } = service;
  const tokens = await tokenStoreOf({ dynamodb, outputs: emulator.outputs }).all();
  return tokens.map(({ name }) => name).filter((name) => name === 'conformance');
}

/** What the command prints if every response to these rows is as expected. */
const allSame = (sent: readonly Row[]) =>
  `\nSettled behaviors: ${sent.filter(({ expected }) => expected).length} same, 0 different.\n`;

/**
 * Runs the command against the emulator as if it were a deployed stage, with a stage in its base URL, and changes each
 * piece of a response.
 */
async function compare(stage: string, change: (response: string) => string) {
  const { hostname, port } = new URL(service.emulator.url);
  const statuses: (string | undefined)[] = [];
  const front = await startLyingServer((client, request) => {
    const [, path = ''] = request.split(' ');
    if (!path.startsWith('/dev/')) {
      client.end(httpResponse(403, '{"message":"Forbidden"}'));
      return;
    }
    const api = connect(Number(port), hostname).setEncoding('latin1');
    api.once('data', (response) => statuses.push(`${response}`.split(' ')[1]));
    api.on('data', (response) => client.write(change(`${response}`), 'latin1'));
    api.on('end', () => client.end()).write(request.replace(' /dev', ' '), 'latin1');
    client.pipe(api.on('error', () => client.destroy()));
  });
  const outputs = {
    ...service.emulator.outputs,
    BaseUrl: `${front.url}/dev`,
    Commit: '0a1b-dirty',
  };
  const outcome = await runWith(outputs, stage);
  await front.stop();
  expect(outcome.stderr).toBe('');
  expect(outcome.stdout).toMatch(/^Conformance of .*\/dev, commit 0a1b-dirty$/m);
  expect(outcome.stdout).not.toContain('plantstore_');
  await expect(tokensLeft()).resolves.toEqual([]);
  return { ...outcome, statuses };
}

/** Runs the command with a fake stack that has these outputs. */
async function runWith(outputs: Record<string, string>, stage: string) {
  const cloudFormation = await startCloudFormation({ [`PlantStore-${stage}`]: outputs });
  const outcome = await runScript('conformance', ['--stage', stage], {
    ...cloudFormation.environment,
    AWS_ENDPOINT_URL_DYNAMODB: service.emulator.dynamodbEndpoint,
  });
  await cloudFormation.stop();
  return outcome;
}

test('npm run conformance --stage prod waits for consistent responses, and sends only rows that are meant for prod', async () => {
  const { code, stdout, statuses } = await compare('prod', (response) => response);
  const sent = rows.filter(({ inProd }) => inProd);
  expect(code).toBe(0);
  expect(stdout).toContain(allSame(sent));
  expect(stdout).toContain(`items behind: id ${LAST_ID}.`);
  // The first request is sent ten times until the API is ready, and then once more.
  expect(statuses).toHaveLength(10 + sent.length);
  expect(statuses.filter((status) => status !== statuses[0] && status !== '404')).toEqual([]);
});

test('npm run conformance --local finds no difference between the emulator and the recordings of AWS, and prints responses to open questions', async () => {
  const printed: string[] = [];
  const options = { env: local, signal, print: (text: string) => printed.push(text) };
  await expect(run(['--local'], options)).resolves.toBe(true);
  const stdout = printed.join('\n');
  expect(stdout).toMatch(
    /^ {2}open {5}no Content-Type\n {11}400, content-type: application\/json, \{.*\}$/m,
  );
  expect(stdout).toContain(allSame(rows.filter(({ needsStage }) => !needsStage)));
  expect(stdout).toContain(
    `items behind: ids from ${FIRST_ID} to ${LAST_ID}, and the id ${SMALLEST_ID}.`,
  );
  await expect(tokensLeft()).resolves.toEqual([]);
});

test('npm run conformance --stage also sends requests to wrong stages, and reports exactly the rows that differ, given an API with a wrong header, status and error code', async () => {
  const { code, stdout } = await compare('dev', (response) =>
    response
      .replace(/^www-authenticate/im, 'X')
      .replace('HTTP/1.1 404', 'HTTP/1.1 403')
      .replace('"error":1003', '"error":1002'),
  );
  expect(code).toBe(1);
  const wrong = rows.filter(({ expected }) =>
    /"error":(1003|2401|2404)/.test(JSON.stringify(expected)),
  );
  expect(wrong.length).toBeGreaterThan(10);
  const differing = [...stdout.matchAll(/^ {2}differs {2}(.*)$/gm)].map(([, name]) => name);
  expect(differing).toEqual(wrong.map(({ name }) => name));
  expect(stdout).toMatch(/^ {2}same {5}wrong stage$/m);
  expect(stdout).toMatch(
    /^ {11}403, .*\n {11}expected: 404, .*\n {11}source: LocalStack, .*; ministack#1756$/m,
  );
});

test('npm run conformance --stage reports a stack without a base URL', async () => {
  const { stderr } = await runWith({ TokensTableName: 'x' }, 'dev');
  expect(stderr).toBe('conformance: the stack has no output BaseUrl; deploy the stage again\n');
});

describe('the token of npm run conformance', () => {
  test('is revoked when the command gets SIGINT', async () => {
    const running = command('conformance', ['--local'], local);
    const outcome = outcomeOf(running);
    await once(running.stdout, 'data');
    await expect(tokensLeft()).resolves.toEqual(['conformance']);
    running.kill('SIGINT');
    await expect(outcome).resolves.toMatchObject({ code: 1, stderr: 'conformance: interrupted\n' });
    await expect(tokensLeft()).resolves.toEqual([]);
  });

  test.each<[string, () => void, string]>([
    ['gets SIGTERM', () => process.emit('SIGTERM'), 'interrupted'],
    ['gets SIGHUP', () => process.emit('SIGHUP'), 'interrupted'],
    ['fails', () => assert.fail('a bug'), 'a bug'],
  ])('is revoked when the command %s', async (_what, print, message) => {
    const options = { env: local, signal: abortedOnInterrupt(), print };
    await expect(run(['--local'], options)).rejects.toThrow(message);
    await expect(tokensLeft()).resolves.toEqual([]);
  });
});

const ONE_TARGET = /^expected exactly one of --stage STAGE, --local or --url URL$/;

test.each<[string[], string | undefined, RegExp]>([
  [[], 'x', ONE_TARGET],
  [['--local', '--stage', 'dev'], 'x', ONE_TARGET],
  [['--stage', 'Nope'], 'x', /^--stage must be a name that starts with .*, such as prod$/],
  [['--url', 'http://localhost:1'], undefined, /set the environment variable ACCESS_TOKEN$/],
  [['--url', 'x.y.z'], 'x', /^the base URL must be a valid https:\/\/ or http:\/\/ URL without/],
  [
    ['--url', 'http://user:secret@localhost:1'],
    'x',
    /^the base URL must be .* without user information/,
  ],
  [
    ['--url', 'http://localhost:1/?key=secret'],
    'x',
    /^the base URL must be .* without user information/,
  ],
  [['x'.repeat(32)], 'x', /^Unexpected argument \(not shown, because it may be a token\); see/],
])(
  'npm run conformance rejects %j with a message that says what to do',
  async (args, ACCESS_TOKEN, line) => {
    const env = ACCESS_TOKEN === undefined ? {} : { ACCESS_TOKEN };
    await expect(run(args, { env, signal, print })).rejects.toThrow(line);
  },
);

test('npm run conformance --url sends ACCESS_TOKEN, and stops when the service rejects that token', async () => {
  let sent = '';
  const server = await startLyingServer((client, request) => {
    sent = request;
    client.end(httpResponse(401, '{}'));
  });
  const env = { ACCESS_TOKEN: 'x.y.z' };
  const running = run(['--url', `${server.url}/dev`], { env, signal, print });
  await expect(running).rejects.toThrow(
    /^the service rejected the access token with 401; .*set ACCESS_TOKEN /,
  );
  await server.stop();
  expect(sent.split(' ').slice(0, 2)).toEqual([METHOD, `/dev${PATH}`]);
  expect(sent).toMatch(/^Authorization: Bearer x\.y\.z\r$/m);
  // AWS's managed rules for web ACLs reject a request that lacks this header.
  expect(sent.match(/^User-Agent: .+$/gm)).toHaveLength(1);
});

test('npm run conformance --url uses TLS for https, and sends the name of the host', async () => {
  let sent = '';
  const server = await startLyingServer((client, request) => {
    sent = request;
    client.end();
  });
  const args = ['--url', `https://localhost:${server.port}`];
  await expect(run(args, { env: { ACCESS_TOKEN: 'x' }, signal, print })).rejects.toThrow(
    'disconnected',
  );
  await server.stop();
  // A TLS handshake starts with the byte 22.
  expect([sent.charCodeAt(0), sent.includes('localhost')]).toEqual([22, true]);
});

describe('docs/verified.md', () => {
  const page = readFileSync(join(PROJECT, 'docs/verified.md'), 'utf8');

  test('names only options of npm run conformance', () => {
    const options = [...new Set(page.match(/--[a-z]+/g))];
    expect(options).toEqual(expect.arrayContaining(['--stage', '--url']));
    expect(options.filter((option) => !HELP.includes(`  ${option} `))).toEqual([]);
  });
});
