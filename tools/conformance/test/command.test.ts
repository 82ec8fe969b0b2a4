/** These tests take longer than 10 s: two comparisons send 36 MB each, and `--stage` waits 5 s before it compares. */
import { once } from 'node:events';
import { createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { announceEmulator } from '@plant-store/emulator';
import { startCloudFormation } from '../../../test/support/cloudformation.ts';
import { listenOnLoopback } from '../../../test/support/loopback.ts';
import { type Service, startService } from '../../../test/support/service.ts';
import { command, outcomeOf } from '../../../test/support/token-command.ts';
import { tokenStore } from '../../tokens/token-store.ts';
import { run } from '../cli.ts';
import { LAST_ID } from '../ids.ts';
import { type DeployedFront, startDeployedFront } from './deployed-front.ts';
import { httpResponse, startLyingServer } from './lying-server.ts';

jest.setTimeout(120_000);

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
  const tokens = await tokenStore(service.dynamodb, service.emulator.outputs.TokensTableName ?? '').all();
  return tokens.map(({ name }) => name).filter((name) => name === 'conformance');
}

test('npm run conformance --local finds no difference between the emulator and the recordings of AWS, prints responses to open questions, and leaves behind only plants with the ids that it prints', async () => {
  const { code, stdout, stderr } = await outcomeOf(command('conformance', ['--local'], local));
  expect([code, stderr, /^ {2}differs/m.test(stdout)]).toEqual([0, '', false]);
  expect(stdout).toMatch(/^ {2}open {5}no Content-Type\n {11}400, content-type: application\/json, \{.*\}$/m);
  expect(stdout).toMatch(
    /^ {2}skipped {2}wrong stage\n {11}not sent, because the base URL contains no stage$/m,
  );
  expect(stdout).toMatch(/^Settled behaviors: \d+ same, 0 different, 3 skipped\.$/m);
  await expect(tokensLeft()).resolves.toEqual([]);

  const [, first = '', last = '', other] =
    /ids from (\d+) to (\d+)(?:, and the id (-\d+))?\.$/m.exec(stdout) ?? [];
  const left = [...(await service.plants()).keys()];
  const outside = left.filter(
    (id) => id !== other && (BigInt(id) < BigInt(first) || BigInt(id) > BigInt(last)),
  );
  expect(left.length).toBeGreaterThan(0);
  expect(outside).toEqual([]);
});

describe('npm run conformance --stage', () => {
  let front: DeployedFront;
  beforeAll(async () => {
    front = await startDeployedFront(service.emulator.url, '/dev');
  });
  afterAll(() => front.stop());

  /** Runs the command against a fake stack that has these outputs. */
  async function runWith(outputs: Record<string, string>, stage: string) {
    const cloudFormation = await startCloudFormation({ [`PlantStore-${stage}`]: outputs });
    const env = {
      AWS_REGION: 'eu-west-1',
      AWS_ACCESS_KEY_ID: 'operator',
      AWS_SECRET_ACCESS_KEY: 'operator',
      AWS_ENDPOINT_URL_CLOUDFORMATION: cloudFormation.url,
      AWS_ENDPOINT_URL_DYNAMODB: service.emulator.dynamodbEndpoint,
      NODE_EXTRA_CA_CERTS: front.certificateFile,
    };
    const outcome = await outcomeOf(command('conformance', ['--stage', stage], env));
    await cloudFormation.stop();
    return outcome;
  }

  /** Runs the command against the emulator as if it were a deployed stage: over TLS, with a stage in its base URL. */
  async function compare(stage: string): Promise<string> {
    front.statuses.length = 0;
    const outputs = { ...service.emulator.outputs, BaseUrl: front.url, Commit: '0a1b-dirty' };
    const outcome = await runWith(outputs, stage);
    expect(outcome).toMatchObject({ code: 0, stderr: '' });
    expect(outcome.stdout).toMatch(/^Conformance of .*, commit 0a1b-dirty$/m);
    expect(outcome.stdout).not.toContain('plantstore_');
    await expect(tokensLeft()).resolves.toEqual([]);
    return outcome.stdout;
  }

  test('waits until the API responds consistently, and also sends requests to wrong stages, over TLS', async () => {
    const stdout = await compare('dev');
    expect(stdout).toMatch(/^ {2}same {5}wrong stage$/m);
    expect(stdout).toMatch(/^Settled behaviors: \d+ same, 0 different, 0 skipped\.$/m);
    expect(front.statuses.slice(0, 6)).toEqual([401, 401, 401, 401, 401, 200]);
  });

  test('reports a stack without a base URL', async () => {
    const { stderr } = await runWith({ TokensTableName: 'x' }, 'dev');
    expect(stderr).toBe('conformance: the stack has no output BaseUrl; deploy the stage again\n');
  });

  test('creates one plant in prod, and sends nothing else that leaves a plant behind or counts as a rejection', async () => {
    const before = new Set((await service.plants()).keys());
    const stdout = await compare('prod');
    expect(stdout).toMatch(/^Settled behaviors: 7 same, 0 different, 0 skipped\.$/m);
    expect(stdout).toContain(`plants behind: id ${LAST_ID}.`);
    expect(new Set(front.statuses)).toEqual(new Set([200, 404]));
    const left = [...(await service.plants()).keys()].filter((id) => !before.has(id));
    expect(left.filter((id) => id !== `${LAST_ID}`)).toEqual([]);
  });
});

describe('the token of npm run conformance', () => {
  test.each(['SIGINT', 'SIGHUP'] as const)('is revoked when the command gets %s', async (name) => {
    const running = command('conformance', ['--local'], local);
    const outcome = outcomeOf(running);
    while ((await tokensLeft()).length === 0) expect(running.exitCode).toBeNull();
    running.kill(name);
    await once(running, 'exit');
    const interrupted = { code: 1, stderr: 'conformance: interrupted\n' };
    await expect(outcome).resolves.toMatchObject(interrupted);
    await expect(tokensLeft()).resolves.toEqual([]);
  });

  test('is revoked when the service closes every connection', async () => {
    const closing = await listenOnLoopback(createServer((socket) => socket.destroy()));
    await announceEmulator(service.dataDir, { ...service.emulator, url: closing.url });
    await expect(run(['--local'], { env: local, signal, print })).rejects.toThrow('socket hang up');
    await closing.stop();
    await announceEmulator(service.dataDir, service.emulator);
    await expect(tokensLeft()).resolves.toEqual([]);
  });
});

test.each<[string[], string | undefined, RegExp]>([
  [[], 'x', /^expected exactly one of --stage STAGE, --local or --url URL, got none$/],
  [['--local', '--stage', 'dev'], 'x', /^expected exactly one of .*, got --stage and --local$/],
  [['--stage', 'Nope'], 'x', /^--stage must be a name that starts with .*, such as prod$/],
  [['--url', 'http://localhost:1'], undefined, /set the environment variable ACCESS_TOKEN$/],
  [['--url', 'x.y.z'], 'x', /^the base URL must be a valid https:\/\/ or http:\/\/ URL without/],
  [['--url', 'http://user:secret@localhost:1'], 'x', /^the base URL must be .* without user information/],
  [['--url', 'http://localhost:1/?key=secret'], 'x', /^the base URL must be .* without user information/],
  [['--stages'], 'x', /^Unknown option '--stages'; see npm run conformance -- --help$/],
  [['dev'], 'x', /^Unexpected argument 'dev'; see npm run conformance -- --help$/],
  [['x'.repeat(32)], 'x', /^Unexpected argument \(not shown, because it may be a token\); see/],
])('npm run conformance rejects %j with a message that says what to do', async (args, ACCESS_TOKEN, line) => {
  const env = ACCESS_TOKEN === undefined ? {} : { ACCESS_TOKEN };
  await expect(run(args, { env, signal, print })).rejects.toThrow(line);
});

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
  expect(sent).toMatch(/^POST \/dev\/plants HTTP\/1\.1\r\n.*^Authorization: Bearer x\.y\.z\r$/ms);
  // AWS's managed rules for web ACLs reject a request that lacks this header.
  expect(sent.match(/^User-Agent: .+$/gm)).toHaveLength(1);
});
