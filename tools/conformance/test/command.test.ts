import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { announceEmulator } from '@plant-store/emulator';
import { startCloudFormation } from '../../../test/support/cloudformation.ts';
import { plantsIn } from '../../../test/support/plants-in.ts';
import { type Service, startService } from '../../../test/support/service.ts';
import { command, type Outcome, outcomeOf } from '../../../test/support/token-command.ts';
import { tokenStore } from '../../tokens/token-store.ts';
import { PROD_ID } from '../ids.ts';
import { waitUntilReady } from '../ready.ts';
import { reportOf } from '../report.ts';
import { pageOf } from '../report-page.ts';
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

function conformance(args: readonly string[], env: Record<string, string> = {}): Promise<Outcome> {
  return outcomeOf(command('conformance', args, env));
}

/**
 * A deployed stage: the emulator, as the outputs of a stack name it.
 *
 * @param early what an API responds that has not arrived yet; undefined lets a request through
 */
async function deployed(stage: string, early: (string | undefined)[] = []) {
  const { hostname, port } = new URL(service.emulator.url);
  const statuses: number[] = [];
  const front = await startLyingServer((client, request) => {
    const response = early.shift();
    if (response !== undefined) {
      client.end(response);
      return;
    }
    const upstream = connect(Number(port), hostname);
    upstream.once('data', (head) => statuses.push(Number(head.toString('latin1').split(' ')[1])));
    upstream.on('error', () => client.destroy()).pipe(client);
    upstream.write(request, 'latin1');
    client.pipe(upstream);
  });
  const outputs = { ...service.emulator.outputs, BaseUrl: front.url };
  const cloudFormation = await startCloudFormation({ [`PlantStore-${stage}`]: { outputs } });
  return {
    statuses,
    env: {
      AWS_REGION: 'eu-west-1',
      AWS_ACCESS_KEY_ID: 'operator',
      AWS_SECRET_ACCESS_KEY: 'operator',
      AWS_ENDPOINT_URL_CLOUDFORMATION: cloudFormation.url,
      AWS_ENDPOINT_URL_DYNAMODB: service.emulator.dynamodbEndpoint,
    },
    stop: async () => {
      await cloudFormation.stop();
      await front.stop();
    },
  };
}

async function tokensLeft(): Promise<string[]> {
  const tokens = await tokenStore(service.dynamodb, service.emulator.outputs.TokensTableName ?? '').all();
  return tokens.map(({ name }) => name).filter((name) => name === 'conformance');
}

describe('npm run conformance', () => {
  test('finds the emulator as recorded, and leaves only plants in the range that it states', async () => {
    const { code, stdout, stderr } = await conformance(['--local'], local);
    expect([code, stderr, /^ {2}differs/m.test(stdout)]).toEqual([0, '', false]);
    expect(stdout).toMatch(/^Settled: \d+ same, 0 differ, 3 need a deployment\.$/m);
    expect(stdout).toMatch(/^ {2}- +wrong stage \(needs a deployment\)$/m);
    await expect(tokensLeft()).resolves.toEqual([]);

    const [, first = '', last = '', other] = /ids from (\d+) to (\d+), and (-?\d+)\.$/m.exec(stdout) ?? [];
    const left = [...(await plantsIn(service.dynamodb)).keys()];
    const outside = left.filter(
      (id) => id !== other && (BigInt(id) < BigInt(first) || BigInt(id) > BigInt(last)),
    );
    expect(left.length).toBeGreaterThan(0);
    expect(outside).toEqual([]);
  });

  test('reports in JSON, and can be repeated', async () => {
    const { code, stdout } = await conformance(['--local', '--json'], local);
    const { summary, subjects } = JSON.parse(stdout);
    expect([code, summary.differs, summary.unforeseen]).toEqual([0, 0, 0]);
    expect(subjects[0].results[0]).toMatchObject({ name: 'plant with a tag', verdict: 'same' });
    expect(stdout).not.toContain('plantstore_');
  });

  // tools/pipeline/test compares a stage that is found by the outputs of its stack.
  test('says to deploy a stack again that has no output BaseUrl', async () => {
    const { BaseUrl: _, ...outputs } = service.emulator.outputs;
    const cloudFormation = await startCloudFormation({ 'PlantStore-prod': { outputs } });
    const { code, stderr } = await conformance(['--stage', 'prod'], {
      AWS_REGION: 'eu-west-1',
      AWS_ACCESS_KEY_ID: 'operator',
      AWS_SECRET_ACCESS_KEY: 'operator',
      AWS_ENDPOINT_URL_CLOUDFORMATION: cloudFormation.url,
      AWS_ENDPOINT_URL_DYNAMODB: service.emulator.dynamodbEndpoint,
    });
    await cloudFormation.stop();
    expect([code, stderr]).toEqual([
      1,
      'conformance: the stack of the stage prod has no output BaseUrl: deploy it again\n',
    ]);
    await expect(tokensLeft()).resolves.toEqual([]);
  });

  test('waits until a deployed stage gives the same good response five times in a row', async () => {
    const early = [
      httpResponse(403, '{"message":"Forbidden"}'),
      undefined,
      undefined,
      httpResponse(500, '{}'),
    ];
    const stage = await deployed('demo', early);
    const { code, stdout } = await conformance(['--stage', 'demo'], stage.env);
    await stage.stop();
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^Settled: \d+ same, 0 differ/m)]);
    expect(stage.statuses.slice(0, 8)).toEqual([...Array.from({ length: 7 }, () => 401), 200]);
  });

  test('creates one plant in prod, the same each time, and sends nothing else that leaves a plant or is counted as a rejection', async () => {
    const before = new Set((await plantsIn(service.dynamodb)).keys());
    const stage = await deployed('prod');
    const runs = [
      await conformance(['--stage', 'prod'], stage.env),
      await conformance(['--stage', 'prod'], stage.env),
    ];
    await stage.stop();
    for (const { code, stdout } of runs) {
      expect([code, stdout]).toEqual([0, expect.stringMatching(/^Settled: 7 same, 0 differ/m)]);
      expect(stdout).toContain(`\nPlants were left under ${PROD_ID}.\n`);
    }
    expect(new Set(stage.statuses)).toEqual(new Set([200, 404]));
    const left = [...(await plantsIn(service.dynamodb)).keys()].filter((id) => !before.has(id));
    expect(left.filter((id) => id !== `${PROD_ID}`)).toEqual([]);
    await expect(tokensLeft()).resolves.toEqual([]);
  });

  test('gives up with one line if the API does not settle', async () => {
    let sent = '';
    const server = await startLyingServer((client, request) => {
      sent = request;
      client.end(httpResponse(403, request));
    });
    const target = { baseUrl: new URL(server.url), token: service.token };
    const { signal } = new AbortController();
    const waiting = waitUntilReady(target, { isProd: true, signal, giveUpMs: 0 });
    await expect(waiting).rejects.toThrow(
      /^the API did not settle in 0 s: expected 200, \{.*\}.*, 5 times in a row, got 403; run the command again, then see "If a deployment fails" in docs\/operations\.md$/,
    );
    await server.stop();
    // AWS's rules for web ACLs reject a request without one.
    expect(sent.match(/^User-Agent: .+$/gm)).toHaveLength(1);
  });

  test('writes a page to commit, without the token, the host and account ids', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'plant-store-report-'));
    const page = join(folder, 'proven/report.md');
    await conformance(['--local', '--report', page], local);
    const text = readFileSync(page, 'utf8');
    rmSync(folder, { recursive: true });
    expect(text).toMatch(
      /^# Conformance of the emulator\n\n\| {2}\| {2}\|\n\| --- \| --- \|\n\| date \| \d{4}-\d\d-\d\d \|\n/,
    );
    expect(text).toMatch(
      /^\| commit checked out \| [0-9a-f]{40}(-dirty)? \|\n\| aws-cdk \| [\d.]+ \|\n\| aws-cdk-lib \| [\d.]+ \|$/m,
    );
    expect(text).toContain('| plant with a tag | same | `200, content-type: application/json, ');
    const { host } = new URL(service.emulator.url);
    const planted = {
      received: `200, 123456789012 at ${host} | \`x\``,
      name: 'planted',
      verdict: 'same',
    } as const;
    const report = reportOf(service.emulator.url, [], [], [], '');
    const subjects = [{ title: 'Planted', results: [planted] }];
    expect(pageOf({ ...report, subjects }, 'dev', { AWS_REGION: 'eu-west-1' })).toMatch(
      /^\| Region \| eu-west-1 \|$.*^\| planted \| same \| `200, <account> at <host> \\\| 'x'` \|$/ms,
    );
    expect(
      [host, 'plantstore_', service.emulator.outputs.TokensTableName].filter((secret = '') =>
        text.includes(secret),
      ),
    ).toEqual([]);
  });

  test('compares the stages too when the base URL has one, over TLS', async () => {
    const front: DeployedFront = await startDeployedFront(service.emulator.url, '/dev');
    const { code, stdout } = await conformance(['--url', front.url], {
      ACCESS_TOKEN: service.token,
      NODE_EXTRA_CA_CERTS: front.certificateFile,
    });
    await front.stop();
    expect(stdout).toMatch(/^ {2}same +wrong stage$/m);
    expect([code, /^Settled: \d+ same, 0 differ, 0 need/m.test(stdout)]).toEqual([0, true]);
  });

  test.each(['SIGINT', 'SIGHUP'] as const)('revokes its token when it gets %s', async (signal) => {
    const running = command('conformance', ['--local'], local);
    const outcome = outcomeOf(running);
    while ((await tokensLeft()).length === 0) expect(running.exitCode).toBeNull();
    running.kill(signal);
    await once(running, 'exit');
    await expect(outcome).resolves.toMatchObject({
      code: 1,
      stdout: '',
      stderr: 'conformance: interrupted\n',
    });
    await expect(tokensLeft()).resolves.toEqual([]);
  });

  test.each([
    ['malformed', 'not HTTP\r\n\r\n'],
    ['of another protocol', 'HTTP/1.1 101 X\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n'],
  ])('revokes its token when the responses are %s', async (_what, bytes) => {
    const server = await startLyingServer((client) => client.end(bytes));
    await announceEmulator(service.dataDir, { ...service.emulator, url: server.url });
    const { code, stdout, stderr } = await conformance(['--local'], local);
    await announceEmulator(service.dataDir, service.emulator);
    await server.stop();
    expect([code, stderr, stdout]).toEqual([1, '', expect.stringMatching(/^Settled: 0 same, /m)]);
    await expect(tokensLeft()).resolves.toEqual([]);
  });

  test.each(['x', 'wrong'])('stops with one line when the service rejects the token %s', async (token) => {
    const outcome = await conformance(['--url', service.emulator.url], { ACCESS_TOKEN: token });
    expect(outcome).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^conformance: the service rejected the access token \(401\): .+\n$/),
    });
  });

  test('revokes its token when the service cannot be reached', async () => {
    await announceEmulator(service.dataDir, { ...service.emulator, url: 'http://127.0.0.1:1' });
    const { code, stderr } = await conformance(['--local'], local);
    await announceEmulator(service.dataDir, service.emulator);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^conformance: no connection: .*\n$/)]);
    await expect(tokensLeft()).resolves.toEqual([]);
  });

  test.each<[string[], RegExp]>([
    [[], /expected one of --stage STAGE, --local and --url URL$/],
    [['--local', '--stage', 'dev'], /expected one of/],
    [['--stage', 'Nope'], /--stage must be a lowercase letter, .*, such as prod$/],
    [['--url', 'http://localhost:1'], /needs an access token in the environment variable ACCESS_TOKEN$/],
    [
      ['--stages'],
      /Unknown option '--stages'; conformance accepts --stage, --local, --url, --json, --report, --help$/,
    ],
    [['dev'], /accepts only options/],
  ])('rejects %j with one line that says what to do', async (args, line) => {
    const { code, stdout, stderr } = await conformance(args);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr.trimEnd()).toMatch(line);
  });

  test('rejects a base URL that is not one', async () => {
    const { stderr } = await conformance(['--url', 'localhost:3000'], { ACCESS_TOKEN: 'x' });
    expect(stderr).toMatch(
      /^conformance: the base URL must begin with https:\/\/ or http:\/\/, .*localhost:3000"\n$/,
    );
  });
});
