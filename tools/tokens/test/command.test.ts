import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { announceEmulator } from '@plant-store/emulator';
import { ACCESS_TOKEN_PATTERN } from '../../../lambda/shared/tokens/access-token.ts';
import { documents, PROJECT } from '../../../test/support/pages/code-blocks.ts';
import {
  type CloudFormation,
  startCloudFormation,
} from '../../../test/support/servers/cloudformation.ts';
import { startScriptedServer } from '../../../test/support/servers/scripted-server.ts';
import { type Service, startService } from '../../../test/support/service/service.ts';
import { lifetimeOf } from '../arguments.ts';
import { run } from '../cli.ts';
import { fail, succeed, token } from './token-command.ts';

const NO_TOKENS_TABLE =
  /no output TokensTableName; with an OpenID Connect provider, get a token from that provider/;

let service: Service;
let cloudFormation: CloudFormation;
/** Selects the same service with `--local` and as the stage `dev`. */
let env: Record<string, string>;
beforeAll(async () => {
  service = await startService();
  await announceEmulator(service.dataDir, service.emulator);
  cloudFormation = await startCloudFormation();
  env = {
    ...cloudFormation.environment,
    DATA_DIR: service.dataDir,
    AWS_ENDPOINT_URL_DYNAMODB: service.emulator.dynamodbEndpoint,
  };
});
beforeEach(() => {
  cloudFormation.failure = undefined;
  cloudFormation.stacks = { 'PlantStore-dev': service.emulator.outputs };
});
afterAll(async () => {
  await cloudFormation.stop();
  await service.stop();
});

describe('npm run token', () => {
  test('prints the same help without arguments and for every command with --help', async () => {
    const { stdout } = await run([], {});
    for (const name of ['issue', 'list', 'revoke', 'rotate']) {
      expect(stdout).toContain(`token -- ${name}`);
      await expect(run([name, '--help'], {})).resolves.toEqual({ stdout });
    }
  });

  test.each<[string[], RegExp]>([
    [['grow'], /^unknown command; expected issue, list, revoke or rotate$/],
    [
      ['issue'],
      /^expected one NAME, got 0 \(quote a name with spaces\); see npm run token -- --help$/,
    ],
    [['revoke', 'a', 'b'], /^expected one NAME-OR-ID, got 2 /],
    [['issue', 'a"b'], /^NAME must have .*, got a value of length 3 \(not shown/],
    [['issue', '0123456789abcdef'], /^NAME must not look like a token id/],
    [['list', 'a'], /^Unexpected argument 'a'; see npm run token -- --help$/],
    [['list', '--expires', '90d'], /^Unknown option '--expires'; see/],
    [['issue', 'a', '--local', '--stage', 'dev'], /^--local and --stage are mutually exclusive/],
    [['list', '--stage', 'Prod'], /^--stage must be a name that starts with .*, such as prod$/],
    ...['90', '1.5h', '-1d', '90y', '3651d', '0s'].map((duration): [string[], RegExp] => [
      ['issue', 'a', `--expires=${duration}`],
      /^--expires must be a duration from 1s to 3650d, such as .*; see npm run token -- --help$/,
    ]),
    [['rotate', 'a', '--overlap', 'never'], /^--overlap must be a duration from 0s to 3650d, /],
  ])('rejects %j with a message that says what to do', async (args, line) => {
    await expect(run(args, {})).rejects.toThrow(line);
  });
});

test.each([
  ['45s', 45],
  ['2m', 120],
  ['2h', 7_200],
  ['2d', 172_800],
  ['2w', 1_209_600],
  ['never', undefined],
])('--expires=%s means %p seconds', (duration, seconds) => {
  expect(lifetimeOf(duration)).toBe(seconds);
});

test('npm run token -- list reads every page of a large table', async () => {
  const page = (id: string, more = {}) => JSON.stringify({ Items: [{ id: { S: id } }], ...more });
  const dynamodb = await startScriptedServer(
    { status: 200, body: page('first', { LastEvaluatedKey: { id: { S: 'first' } } }) },
    { status: 200, body: page('second') },
  );
  const { stderr } = await token(['list'], { ...env, AWS_ENDPOINT_URL_DYNAMODB: dynamodb.url });
  await dynamodb.stop();
  expect(stderr).toMatch('malformed items skipped: 2;');
});

test.each(['--local', '--stage=dev'])(
  'npm run token %s prints only the issued token to stdout, and lists it as a JSON line with its times',
  async (option) => {
    const before = Date.now();
    const { stdout, stderr } = await token(['issue', 'shell', '--expires', '2h', option], env);
    expect(stdout.trimEnd()).toMatch(new RegExp(`^${ACCESS_TOKEN_PATTERN}$`));
    const [, id = ''] = stdout.split('_');
    const list = await succeed(['list', option], env);
    const line = list.split('\n').find((each) => each.startsWith(`{"id":"${id}",`)) ?? '';
    const { name, issuedAt, expiresAt, ...others } = JSON.parse(line);
    expect([name, others]).toEqual(['shell', { id }]);
    expect(Date.parse(expiresAt) - Date.parse(issuedAt)).toBe(2 * 3_600_000);
    expect(Date.parse(issuedAt)).toBeGreaterThan(before - 1000);
    expect(stderr).toMatch(`Issued the token ${id} to shell; it expires ${expiresAt} and `);
  },
);

describe('npm run token --local', () => {
  test('rejects an unknown name, and rejects an ambiguous name with a list of token ids', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 2; n += 1) {
      ids.push((await succeed(['issue', 'twin', '--local'], env)).split('_')[1] ?? '');
    }
    const ambiguous = await fail(['revoke', 'twin', '--local'], env);
    expect(ambiguous).toMatch(/the client "twin" has 2 tokens: .*; specify one of these ids$/);
    for (const id of ids) expect(ambiguous).toContain(id);
    for (const verb of ['revoke', 'rotate']) {
      expect(await fail([verb, 'nobody', '--local'], env)).toMatch(
        /no valid token for client .*"nobody"; to see all clients and ids, run npm run token -- list \(with the same --local or --stage, if any\)$/,
      );
    }
    expect(await fail(['revoke', '0'.repeat(16), '--local'], env)).toMatch(/no valid token/);
  });

  test('reports in one line that the emulator is not running or has no tokens table', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'plant-store-data-'));
    const elsewhere = { DATA_DIR: dataDir };
    expect(await fail(['list', '--local'], elsewhere)).toMatch(
      /no emulator is running.*npm start.*DATA_DIR/,
    );
    // An emulator that was killed cannot remove the file that announces it.
    const withdraw = await announceEmulator(dataDir, {
      ...service.emulator,
      dynamodbEndpoint: 'http://127.0.0.1:1',
    });
    expect(await fail(['list', '--local'], elsewhere)).toMatch(
      /no connection.*npm start.*127\.0\.0\.1:1/,
    );
    await withdraw();
    await announceEmulator(dataDir, { ...service.emulator, outputs: {} });
    expect(await fail(['list', '--local'], elsewhere)).toMatch(NO_TOKENS_TABLE);
    await rm(dataDir, { recursive: true });
  });
});

describe('npm run token with a deployed stack', () => {
  test.each<
    [string, { failure?: string; stack?: Record<string, string>; change?: object }, RegExp]
  >([
    [
      'a missing permission',
      { failure: 'AccessDenied' },
      /lack the permission .*; docs\/access-tokens.md lists the permissions that npm run token needs \(the reason/,
    ],
    [
      'expired credentials',
      { failure: 'ExpiredToken' },
      /rejected your credentials: sign in again \(the /,
    ],
    [
      'an unknown AWS error',
      { failure: 'SomethingNew' },
      /^token: SomethingNew: the reason\\u202e$/,
    ],
    [
      'missing credentials',
      { change: { AWS_ACCESS_KEY_ID: '' } },
      /no AWS credentials: sign in.*--local/,
    ],
    ['a missing region', { change: { AWS_REGION: '' } }, /no AWS region: set AWS_REGION.*--local/],
    [
      'a missing connection',
      { change: { AWS_ENDPOINT_URL_CLOUDFORMATION: 'http://127.0.0.1:1' } },
      /no connection/,
    ],
    ['a stack without a tokens table', { stack: { BaseUrl: 'https://x' } }, NO_TOKENS_TABLE],
    ['a deleted table', { stack: { TokensTableName: 'DeletedTable' } }, /the table does not exist/],
  ])('explains %s in one line', async (_, { failure, stack, change }, line) => {
    cloudFormation.failure = failure;
    if (stack !== undefined) cloudFormation.stacks = { 'PlantStore-dev': stack };
    expect(await fail(['list'], { ...env, ...change })).toMatch(line);
  });

  test.each(['CLOUDFORMATION', 'DYNAMODB'])(
    'reports in one line that it received a sign-in page instead of a response from %s',
    async (name) => {
      const page = '<!DOCTYPE html>\n<html><br>Sign in</html>';
      const proxy = await startScriptedServer({ status: 200, body: page });
      expect(
        await fail(['issue', 'ci'], { ...env, [`AWS_ENDPOINT_URL_${name}`]: proxy.url }),
      ).toMatch(
        /^token: the response did not come from AWS: check your network for a proxy or a sign-in page/,
      );
      await proxy.stop();
    },
  );

  test("reports a missing stack with its name and the profile's region if AWS_REGION is empty", async () => {
    const folder = await mkdtemp(join(tmpdir(), 'plant-store-profile-'));
    const AWS_CONFIG_FILE = join(folder, 'config');
    await writeFile(AWS_CONFIG_FILE, '[default]\nregion = eu-west-3\n');
    const profile = { ...env, AWS_REGION: '', AWS_CONFIG_FILE };
    expect(await fail(['list', '--stage', 'pr-12'], profile)).toMatch(
      /no stack PlantStore-pr-12 in eu-west-3: /,
    );
    await rm(folder, { recursive: true });
  });
});

const pageAt = (path: string) => readFileSync(join(PROJECT, path), 'utf8');

test('access-tokens.md contains the pattern that finds a leaked token', () => {
  expect(pageAt('docs/access-tokens.md')).toContain(ACCESS_TOKEN_PATTERN);
});

test('documented commands whose output is captured run npm with --silent', () => {
  const commands = documents.flatMap(
    (document) => pageAt(document).match(/(?:\$\()?npm run [^`\n]*\btoken -- [^`\n]*/g) ?? [],
  );
  const caught = commands.filter((command) => /\$\(| > /.test(command));
  expect(caught.length).toBeGreaterThan(0);
  for (const command of caught) expect(command).toContain('npm run --silent token -- ');
});
