/** These tests take longer than 10 s: two comparisons send 36 MB each, and `--stage` waits 5 s before it compares. */
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { announceEmulator } from '@plant-store/emulator';
import { startCloudFormation } from '../../../test/support/cloudformation.ts';
import { plantsIn } from '../../../test/support/plants-in.ts';
import { type Service, startService } from '../../../test/support/service.ts';
import { command, type Outcome, outcomeOf, runInTurn } from '../../../test/support/token-command.ts';
import { tokenStore } from '../../tokens/token-store.ts';
import { run } from '../cli.ts';
import { PROD_ID } from '../ids.ts';
import { waitUntilReady } from '../ready.ts';
import { pageOf, reportOf } from '../report.ts';
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

async function tokensLeft(): Promise<unknown[]> {
  const tokens = await tokenStore(service.dynamodb, service.emulator.outputs.TokensTableName ?? '').all();
  return tokens.map(({ name }) => name).filter((name) => name === 'conformance');
}

describe('npm run conformance --local', () => {
  let outcome: Outcome;
  let page: string;
  beforeAll(async () => {
    const folder = mkdtempSync(join(tmpdir(), 'plant-store-report-'));
    const file = join(folder, 'proven/report.md');
    outcome = await outcomeOf(command('conformance', ['--local', '--report', file], local));
    page = readFileSync(file, 'utf8');
    rmSync(folder, { recursive: true });
  });

  test('finds no difference between the emulator and the recordings of AWS, and leaves behind only plants with the ids that it prints', async () => {
    const { code, stdout, stderr } = outcome;
    expect([code, stderr, /^ {2}differs/m.test(stdout)]).toEqual([0, '', false]);
    expect(stdout).toMatch(/^Settled behaviors: \d+ same, 0 different, 3 skipped\.$/m);
    expect(stdout).toMatch(/^ {2}skipped +wrong stage \(the base URL contains no stage\)$/m);
    await expect(tokensLeft()).resolves.toEqual([]);

    const [, first = '', last = '', other] =
      /ids from (\d+) to (\d+), and the id (-?\d+)\.$/m.exec(stdout) ?? [];
    const left = [...(await plantsIn(service.dynamodb)).keys()];
    const outside = left.filter(
      (id) => id !== other && (BigInt(id) < BigInt(first) || BigInt(id) > BigInt(last)),
    );
    expect(left.length).toBeGreaterThan(0);
    expect(outside).toEqual([]);
  });

  test('gives no advice about AWS, because the emulator proves nothing about it', () => {
    expect(outcome.stdout).toMatch(/^ {2}foreseen +no Content-Type\n {14}received: 400, .*\n\n/m);
    expect(outcome.stdout).toMatch(
      /^Open questions: [1-9]\d* foreseen responses, 0 unforeseen, 0 to check by hand\.$/m,
    );
    expect(outcome.stdout).not.toMatch(/ means: |by hand, /);
  });

  test('writes a page that can be committed, without the token, the host or account ids', () => {
    expect(page).toMatch(
      /^# Conformance of the emulator\n\n\| date \| \d{4}-\d\d-\d\d \|\n\| --- \| --- \|\n\| Region \| unknown \|\n\| checked-out commit \| [0-9a-f]{40}(-dirty)? \|\n/,
    );
    expect(page).toMatch(
      /^ {2}same {8}plant with a tag\n {14}received: 200, content-type: application\/json, /m,
    );
    const { host } = new URL(service.emulator.url);
    const secrets = [host, 'plantstore_', service.emulator.outputs.TokensTableName ?? ''];
    expect(secrets.filter((secret) => page.includes(secret))).toEqual([]);

    const report = reportOf(service.emulator.url, '', [], [], []);
    const received = `200, 123456789012 at ${host}`;
    const subjects = [
      { title: 'Planted', results: [{ name: 'planted', verdict: 'same', received } as const] },
    ];
    expect(pageOf({ ...report, subjects }, 'dev', { AWS_REGION: 'eu-west-1' })).toMatch(
      /^\| Region \| eu-west-1 \|$.*^ {2}same {8}planted\n {14}received: 200, <account> at <host>$/ms,
    );
  });
});

describe('npm run conformance --stage', () => {
  let front: DeployedFront;
  beforeAll(async () => {
    front = await startDeployedFront(service.emulator.url, '/dev');
  });
  afterAll(() => front.stop());

  /** Runs the command against a fake stack that has these outputs. */
  async function runWith(outputs: Record<string, string>, stage: string) {
    const cloudFormation = await startCloudFormation({ [`PlantStore-${stage}`]: { outputs } });
    const env = {
      AWS_REGION: 'eu-west-1',
      AWS_ACCESS_KEY_ID: 'operator',
      AWS_SECRET_ACCESS_KEY: 'operator',
      AWS_ENDPOINT_URL_CLOUDFORMATION: cloudFormation.url,
      AWS_ENDPOINT_URL_DYNAMODB: service.emulator.dynamodbEndpoint,
      NODE_EXTRA_CA_CERTS: front.certificateFile,
    };
    const outcome = await outcomeOf(command('conformance', ['--stage', stage, '--json'], env));
    await cloudFormation.stop();
    return outcome;
  }

  /** Runs the command against the emulator as if it were a deployed stage: over TLS, with a stage in its base URL. */
  async function compare(stage: string) {
    front.statuses.length = 0;
    const outcome = await runWith({ ...service.emulator.outputs, BaseUrl: front.url }, stage);
    expect(outcome).toMatchObject({ code: 0, stderr: '' });
    expect(outcome.stdout).not.toContain('plantstore_');
    await expect(tokensLeft()).resolves.toEqual([]);
    return JSON.parse(outcome.stdout);
  }

  test('also sends requests to wrong stages, over TLS, and prints what the response to each open question means', async () => {
    const { summary, subjects, manual } = await compare('dev');
    expect([summary.differs, summary.unforeseen, summary.skipped]).toEqual([0, 0, 0]);
    const results: { name: string; verdict: string; means?: string }[] = subjects.flatMap(
      (subject: { results: object[] }) => subject.results,
    );
    expect(results).toContainEqual(expect.objectContaining({ name: 'wrong stage', verdict: 'same' }));
    expect(results.filter(({ verdict, means }) => verdict === 'foreseen' && !means)).toEqual([]);
    expect(manual).toHaveLength(6);
    expect(front.statuses.slice(0, 6)).toEqual([401, 401, 401, 401, 401, 200]);
  });

  test('reports a stack without a base URL', async () => {
    const { stderr } = await runWith({ TokensTableName: 'x' }, 'dev');
    expect(stderr).toBe(
      'conformance: the stack of stage dev has no output BaseUrl; deploy the stage again\n',
    );
  });

  test('creates one plant in prod, and sends nothing else that leaves a plant behind or counts as a rejection', async () => {
    const before = new Set((await plantsIn(service.dynamodb)).keys());
    const { summary, plantsLeft } = await compare('prod');
    expect([summary.same, summary.differs, plantsLeft]).toEqual([7, 0, `id ${PROD_ID}`]);
    expect(new Set(front.statuses)).toEqual(new Set([200, 404]));
    const left = [...(await plantsIn(service.dynamodb)).keys()].filter((id) => !before.has(id));
    expect(left.filter((id) => id !== `${PROD_ID}`)).toEqual([]);
  });
});

describe('a deployed API', () => {
  test('counts as ready after five good responses in a row', async () => {
    const bad = httpResponse(403, '{"message":"Forbidden"}');
    const good = httpResponse(401, '{"error":2401,"message":"x"}', 'WWW-Authenticate: Bearer x\r\n');
    const early = [bad, good, 'timeout', good, good, bad, good, good, good, good, good, good];
    const server = await startLyingServer((client) => {
      const next = early.shift() ?? '';
      if (next !== 'timeout') client.end(next);
    });
    const target = { baseUrl: new URL(server.url), token: service.token };
    await waitUntilReady(target, false, signal, { pauseMs: 0, timeoutMs: 1_000 });
    await server.stop();
    expect(early).toEqual([good]);
  });

  test('that never becomes ready ends the command with a message that says what to do', async () => {
    let sent = '';
    const server = await startLyingServer((client, request) => {
      sent = request;
      client.end(httpResponse(403, request));
    });
    const target = { baseUrl: new URL(server.url), token: service.token };
    await expect(waitUntilReady(target, true, signal, { giveUpMs: 0 })).rejects.toThrow(
      /^the API did not respond consistently within 0 s: expected 200, \{.*\}.*, got 403; run the command again or, if it still fails, look up the status in docs\/errors\.md$/,
    );
    await server.stop();
    // AWS's managed rules for web ACLs reject a request that lacks this header.
    expect(sent.match(/^User-Agent: .+$/gm)).toHaveLength(1);
  });
});

describe('the token of npm run conformance', () => {
  test.each(['SIGINT', 'SIGHUP'] as const)('is revoked when the command gets %s', async (name) => {
    const running = command('conformance', ['--local'], local);
    const outcome = outcomeOf(running);
    while ((await tokensLeft()).length === 0) expect(running.exitCode).toBeNull();
    running.kill(name);
    await once(running, 'exit');
    const interrupted = { code: 1, stdout: '', stderr: 'conformance: interrupted\n' };
    await expect(outcome).resolves.toEqual(interrupted);
    await expect(tokensLeft()).resolves.toEqual([]);
  });

  test('is revoked when the service cannot be reached', async () => {
    await announceEmulator(service.dataDir, { ...service.emulator, url: 'http://127.0.0.1:1' });
    await expect(run(['--local'], { env: local, signal })).rejects.toThrow('ECONNREFUSED');
    await announceEmulator(service.dataDir, service.emulator);
    await expect(tokensLeft()).resolves.toEqual([]);
  });
});

test.each<[string[], string | undefined, RegExp]>([
  [[], 'x', /^expected exactly one of --stage STAGE, --local or --url URL, got none$/],
  [['--local', '--stage', 'dev'], 'x', /^expected exactly one of .*, got --stage and --local$/],
  [['--stage', 'Nope'], 'x', /^--stage must be a name that starts with .*, such as prod$/],
  [['--url', 'http://localhost:1'], undefined, /set the environment variable ACCESS_TOKEN$/],
  [['--url', 'x.y.z'], 'x', /^the base URL must be a valid https:\/\/ or http:\/\/ URL$/],
  [['--stages'], 'x', /^Unknown option '--stages'; see npm run conformance -- --help$/],
  [['dev'], 'x', /^Unexpected argument 'dev'; see npm run conformance -- --help$/],
  [['x'.repeat(32)], 'x', /^Unexpected argument \(not shown, because it may be a token\); see/],
])('npm run conformance rejects %j with a message that says what to do', async (args, ACCESS_TOKEN, line) => {
  const env = ACCESS_TOKEN === undefined ? {} : { ACCESS_TOKEN };
  await expect(run(args, { env, signal })).rejects.toThrow(line);
});

describe('npm run conformance --report', () => {
  const unreachable = ['--url', 'http://127.0.0.1:1', '--report'];
  const env = { ACCESS_TOKEN: 'x.y.z' };

  test.each([
    ['a folder', 'docs', 'EISDIR: '],
    ['a path below a file', 'package.json/dev.md', 'EEXIST: '],
  ])('rejects %s before it sends a request', async (_what, file, reason) => {
    const { code, stdout, stderr } = await runInTurn('conformance', [...unreachable, file], env);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(
      new RegExp(
        `^conformance: cannot write the report ${file}: ${reason}.*; set --report to a file that you can write\n$`,
      ),
    );
  });

  test('creates no report, and changes no existing report, if the service cannot be reached', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'plant-store-report-'));
    const [missing, existing] = [join(folder, 'dev.md'), join(folder, 'prod.md')];
    writeFileSync(existing, 'the last run');
    for (const file of [missing, existing])
      await expect(run([...unreachable, file], { env, signal })).rejects.toThrow('ECONNREFUSED');
    expect([existsSync(missing), readFileSync(existing, 'utf8')]).toEqual([false, 'the last run']);
    rmSync(folder, { recursive: true });
  });
});

test('npm run conformance --url sends ACCESS_TOKEN, and stops when the service rejects that token', async () => {
  let sent = '';
  const server = await startLyingServer((client, request) => {
    sent = request;
    client.end(httpResponse(401, '{}'));
  });
  const running = run(['--url', `${server.url}/dev`], { env: { ACCESS_TOKEN: 'x.y.z' }, signal });
  await expect(running).rejects.toThrow(
    /^the service rejected the access token with 401; .*set ACCESS_TOKEN /,
  );
  await server.stop();
  expect(sent).toMatch(/^POST \/dev\/plants HTTP\/1\.1\r\n.*^Authorization: Bearer x\.y\.z\r$/ms);
});
