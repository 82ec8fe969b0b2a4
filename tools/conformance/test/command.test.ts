import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { pipeline } from 'node:stream';
import { afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { read } from '../../../test/support/pages/code-blocks.ts';
import { command, outcomeOf, runScript } from '../../../test/support/project/run-command.ts';
import { startCloudFormation } from '../../../test/support/servers/cloudformation.ts';
import { listenOnLoopback } from '../../../test/support/servers/loopback.ts';
import { startScriptedServer } from '../../../test/support/servers/scripted-server.ts';
import { exampleStatus } from '../../../test/support/service/contract.ts';
import { type Service, startTestService } from '../../../test/support/service/service.ts';
import { interruptSignal } from '../../command-line/run-command.ts';
import { tableOf } from '../../tokens/tokens-table.ts';
import { METHOD, PATH } from '../row.ts';
import { rows } from '../rows/index.ts';
import { HELP, runConformance } from '../run-conformance.ts';

let service: Service;
let local: Record<string, string>;
beforeAll(async () => {
  service = await startTestService();
  local = { DATA_DIR: service.dataDir };
});

const { signal } = new AbortController();
const print = () => {};

const table = () => tableOf({ ...service, outputs: service.emulator.outputs });
const issued = async () => (await table().all()).filter(({ client }) => client === 'conformance');

/** The command's tokens that are still in the table, each with its lifetime. */
const tokensLeft = async () =>
  (await issued()).map(({ issuedAt, expiresAt }) => `${Number(expiresAt) - Number(issuedAt)} s`);

// Otherwise, a token that one test leaves behind would fail the next tests.
afterEach(async () => {
  for (const { id } of await issued()) await table().remove(`${id}`);
});

/** Runs the command with a stage whose stack has these outputs, and with the emulator's DynamoDB. */
async function runWithStage(stage: string, outputs: Record<string, string>) {
  const cloudFormation = await startCloudFormation({ [`PlantStore-${stage}`]: outputs });
  return runScript('conformance', ['--stage', stage], {
    ...cloudFormation.environment,
    AWS_ENDPOINT_URL_DYNAMODB: service.emulator.dynamodbEndpoint,
  });
}

describe('npm run conformance', () => {
  test('--local finds the emulator equal to the recordings of AWS, and prints responses to open questions', async () => {
    const printed: string[] = [];
    const isSame = await runConformance(['--local'], local, signal, (text) => printed.push(text));
    expect(printed.filter((text) => text.startsWith('  differs'))).toEqual([]);
    expect(isSame).toBe(true);

    // A URL without a stage has no wrong stage.
    const settled = rows.filter(({ expected }) => expected).length - 1;
    expect(printed.at(-1)).toContain(`Settled behaviors: ${settled} same, 0 different.`);
    // The emulator's tables were empty, so the example succeeds.
    expect(printed).toContainEqual(
      expect.stringMatching(`^  same     example in openapi.json\n {11}${exampleStatus}\\b`),
    );
    expect(printed).toContainEqual(
      expect.stringMatching(/^ {2}open {5}no Content-Type\n {11}400, content-type: .*, \{.*\}$/),
    );
  });

  test('--stage prod waits for consistent responses, and sends only rows that are meant for prod', async () => {
    const { hostname, port } = new URL(service.emulator.url);
    // Each request has a connection of its own, so this server counts the requests.
    const front = await listenOnLoopback(
      createServer((client) => pipeline(client, connect(Number(port), hostname), client, () => {})),
    );
    const { code, stdout, stderr } = await runWithStage('prod', {
      ...service.emulator.outputs,
      BaseUrl: front.url,
      Commit: '0a1b-dirty',
    });

    const sent = rows.filter(({ inProd }) => inProd);
    expect([code, stderr]).toEqual([0, '']);
    expect(front.connections).toHaveLength(10 + sent.length);
    expect(stdout).toMatch(/^Conformance of http.*, commit 0a1b-dirty\n/);
    expect(stdout).toContain(`\nSettled behaviors: ${sent.length} same, 0 different.\n`);
    const items = sent.flatMap(({ item = [] }) => item).join() || 'none';
    expect(stdout).toContain(`left items behind: ${items}.`);
    expect(stdout).not.toContain('plantstore_');
    await expect(tokensLeft()).resolves.toEqual([]);
  });

  test('reports rows that differ with their sources, tries a wrong stage of a URL with a stage, exits with 1', async () => {
    const server = await startScriptedServer({ status: 403, body: '{"message":"Forbidden"}' });
    const args = ['--url', `${server.url}/dev`];
    const { code, stdout } = await runScript('conformance', args, { ACCESS_TOKEN: 'x' });
    expect(code).toBe(1);
    expect(stdout).toContain('\n  same     wrong stage\n');
    expect(stdout).toMatch(
      /^ {2}differs {2}POST \/nope without a token\n {11}403, .*\n {11}expected: 404, .*\n {11}source: LocalStack, /m,
    );
    expect(stdout).toContain('\nSettled behaviors: 1 same, ');
  });

  test('--url sends ACCESS_TOKEN, and stops when the service rejects that token', async () => {
    const server = await startScriptedServer({ status: 401, body: '{}' });
    const env = { ACCESS_TOKEN: 'x.y.z' };
    await expect(
      runConformance(['--url', `${server.url}/dev`], env, signal, print),
    ).rejects.toThrow(/^the service rejected the access token with 401; .*set ACCESS_TOKEN /);
    // AWS's managed rules for web ACLs reject a request without a User-Agent.
    const headers = { authorization: 'Bearer x.y.z', 'user-agent': 'plant-store-conformance' };
    expect(server.requests).toMatchObject([{ method: METHOD, path: `/dev${PATH}`, headers }]);
  });

  test('--url uses TLS for https', async () => {
    const args = ['--url', service.emulator.url.replace('http:', 'https:')];
    await expect(runConformance(args, { ACCESS_TOKEN: 'x' }, signal, print)).rejects.toThrow('SSL');
  });

  test.each([
    [[], 'expected exactly one of --stage STAGE, --local or --url URL'],
    [['--local', '--stage', 'dev'], 'expected exactly one of --stage STAGE, --local or --url URL'],
    [['--url', 'http://localhost:1'], 'set the environment variable ACCESS_TOKEN'],
    [['x'.repeat(32)], 'Unexpected argument (not shown, because it may be a token); see'],
  ])('rejects arguments with a message that says what to do: %j', async (args, message) => {
    await expect(runConformance(args, {}, signal, print)).rejects.toThrow(message);
  });

  test.each([
    'x.y.z',
    'ftp://localhost',
    'http://user:secret@localhost:1',
    'http://localhost:1/?key=secret',
  ])('rejects the base URL %s', async (url) => {
    await expect(
      runConformance(['--url', url], { ACCESS_TOKEN: 'x' }, signal, print),
    ).rejects.toThrow(
      'the base URL must be a valid https:// or http:// URL without user information, a query or a fragment',
    );
  });

  test('revokes its token when it gets SIGINT', async () => {
    const running = command('conformance', ['--local'], local);
    const outcome = outcomeOf(running);
    await once(running.stdout, 'data');
    await expect(tokensLeft()).resolves.toEqual(['900 s']);
    running.kill('SIGINT');
    await expect(outcome).resolves.toMatchObject({ code: 1, stderr: 'conformance: interrupted\n' });
    await expect(tokensLeft()).resolves.toEqual([]);
  });

  test.each(['SIGTERM', 'SIGHUP'] as const)('revokes its token when it gets %s', async (name) => {
    const interrupt = () => process.emit(name);
    const running = runConformance(['--local'], local, interruptSignal(), interrupt);
    await expect(running).rejects.toThrow('interrupted');
    // Without a listener, a second signal ends the process.
    expect(process.listenerCount(name)).toBe(0);
    await expect(tokensLeft()).resolves.toEqual([]);
  });
});

test('docs/verified.md names only options of npm run conformance', () => {
  const page = read('docs/verified.md');
  const options = [...new Set(page.match(/--[a-z]+/g))];
  expect(options).toEqual(expect.arrayContaining(['--stage', '--url']));
  expect(options.filter((option) => !HELP.includes(`  ${option} `))).toEqual([]);
});
