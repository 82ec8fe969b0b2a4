import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { announceEmulator } from '@plant-store/emulator';
import { ACCESS_TOKEN_PATTERN } from '../../../lambda/shared/tokens/access-token.ts';
import { type CloudFormation, startCloudFormation } from '../../../test/support/cloudformation.ts';
import { documents, PROJECT } from '../../../test/support/code-blocks.ts';
import { exampleBody } from '../../../test/support/contract.ts';
import { startScriptedServer } from '../../../test/support/scripted-server.ts';
import { type Service, startService } from '../../../test/support/service.ts';
import { command, fail, outcomeOf, succeed, token } from '../../../test/support/token-command.ts';
import { localCommandLine } from '../arguments.ts';
import { run } from '../cli.ts';

let service: Service;
let local: Record<string, string>;
beforeAll(async () => {
  service = await startService();
  local = { DATA_DIR: service.dataDir };
  await announceEmulator(service.dataDir, service.emulator);
});
afterAll(() => service.stop());

describe('npm run token', () => {
  test('prints the same help without arguments and for every command with --help', async () => {
    const { stdout } = await run([], {});
    for (const name of ['issue', 'list', 'revoke', 'rotate']) {
      expect(stdout).toContain(`token -- ${name}`);
      await expect(run([name, '--help'], {})).resolves.toEqual({ stdout, stderr: '' });
    }
  });

  test.each<[string[], RegExp]>([
    [['grow'], /^unknown command; expected issue, list, revoke or rotate$/],
    [['issue'], /^NAME is missing; see npm run token -- --help$/],
    [['issue', 'a"b'], /^NAME must have .*, got a value of length 3 \(not shown/],
    [['issue', '0123456789abcdef'], /^NAME must not look like a token id/],
    [['issue', 'a', 'b'], /^issue accepts only one NAME, got 2; quote a NAME that contains spaces$/],
    [['list', 'a'], /^list does not accept NAME; see/],
    [['list', 'a', 'b'], /^list does not accept NAME; see/],
    [['issue', 'a', '--expire', '90d'], /^Unknown option '--expire'; see npm run token -- --help$/],
    [['list', '--expires', '90d'], /^list does not accept --expires; see/],
    [['revoke'], /^NAME-OR-ID is missing/],
    [['issue', 'a', '--local', '--stage', 'dev'], /^--local and --stage are mutually exclusive/],
    [['list', '--stage', 'Prod'], /^--stage must be a name that starts with .*, such as prod$/],
    ...['90', '1.5h', '-1d', '90y', '3651d', '0s'].map((duration): [string[], RegExp] => [
      ['issue', 'a', `--expires=${duration}`],
      /^--expires must be never, or a duration from 1s to 3650d, such as .*; see npm run token -- --help$/,
    ]),
    [
      ['rotate', 'a', '--overlap', 'never'],
      /^--overlap must be a duration from 0s \(no overlap\) to 3650d, /,
    ],
  ])('rejects %j with a message that says what to do', async (args, line) => {
    await expect(run(args, {})).rejects.toThrow(line);
  });
});

test.each([undefined, '../b', "my plants' data", '$HOME/x', 'a;b'])(
  'the command that npm start suggests selects the data folder %p when a shell runs it',
  (DATA_DIR = '') => {
    const script = `npm() { printf '%s|' "$DATA_DIR" "$@"; }\n${localCommandLine('list', { DATA_DIR })}`;
    const { stdout } = spawnSync('sh', ['-c', script], { env: {}, encoding: 'utf8' });
    expect(stdout).toBe(`${DATA_DIR}|run|token|--|list|--local|`);
  },
);

describe('npm run token --local', () => {
  test('prints only the issued token to stdout, and its expiration time to stderr', async () => {
    const { stdout, stderr } = await outcomeOf(command('token', ['issue', 'shell', '--local'], local));
    expect(stdout.trimEnd()).toMatch(new RegExp(`^${ACCESS_TOKEN_PATTERN}$`));
    const [, id] = stdout.split('_');
    expect(stderr).toMatch(new RegExp(`^Issued the token ${id} to shell; it expires \\d{4}-\\S+Z and `));
  });

  test('prints only JSON with --json', async () => {
    const before = Date.now();
    const issued = await token(['issue', 'script', '--expires', '2h', '--json', '--local'], local);
    const { id, name, token: accessToken, issuedAt, expiresAt } = JSON.parse(issued.stdout);
    expect([name, accessToken.split('_')[1], issued.stderr]).toEqual(['script', id, '']);
    expect(Date.parse(expiresAt) - Date.parse(issuedAt)).toBe(2 * 3_600_000);
    expect(Date.parse(issuedAt)).toBeGreaterThan(before - 1000);

    const listed = JSON.parse(await succeed(['list', '--json', '--local'], local));
    expect(listed).toContainEqual({ id, name, issuedAt, expiresAt });
    const revoked = JSON.parse(await succeed(['revoke', id, '--json', '--local'], local));
    expect(revoked).toEqual({ id, name, issuedAt, expiresAt });
  });

  test('rejects an unknown name, and rejects an ambiguous name with a list of token ids', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 2; n += 1) {
      ids.push(JSON.parse(await succeed(['issue', 'twin', '--json', '--local'], local)).id);
    }
    const ambiguous = await fail(['revoke', 'twin', '--local'], local);
    expect(ambiguous).toMatch(/the client "twin" has 2 tokens: .*; specify one of these ids$/);
    for (const id of ids) expect(ambiguous).toContain(id);
    for (const verb of ['revoke', 'rotate']) {
      expect(await fail([verb, 'nobody', '--local'], local)).toMatch(
        /no valid token for client .*"nobody"; to see all clients and ids, run npm run token -- list \(with the same --local or --stage, if any\)$/,
      );
    }
    expect(await fail(['revoke', '0'.repeat(16), '--local'], local)).toMatch(/no valid token/);
  });

  test('reports in one line that the emulator is not running or has no tokens table', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'plant-store-data-'));
    const env = { DATA_DIR: dataDir };
    expect(await fail(['list', '--local'], env)).toMatch(/no emulator is running.*npm start.*DATA_DIR/);
    // An emulator that was killed cannot remove the file that announces it.
    await announceEmulator(dataDir, { ...service.emulator, dynamodbEndpoint: 'http://127.0.0.1:1' });
    expect(await fail(['list', '--local'], env)).toMatch(/no connection.*npm start.*127\.0\.0\.1:1/);
    await announceEmulator(dataDir, { ...service.emulator, outputs: {} });
    expect(await fail(['list', '--local'], env)).toMatch(/with an OpenID Connect provider, get a token/);
    await rm(dataDir, { recursive: true });
  });
});

describe('npm run token with a deployed stack', () => {
  let cloudFormation: CloudFormation;
  let env: Record<string, string>;
  beforeAll(async () => {
    cloudFormation = await startCloudFormation();
    env = {
      AWS_REGION: 'eu-west-1',
      AWS_ACCESS_KEY_ID: 'operator',
      AWS_SECRET_ACCESS_KEY: 'operator',
      AWS_ENDPOINT_URL_CLOUDFORMATION: cloudFormation.url,
      AWS_ENDPOINT_URL_DYNAMODB: service.emulator.dynamodbEndpoint,
    };
  });
  beforeEach(() => {
    cloudFormation.failure = undefined;
    cloudFormation.stacks = { 'PlantStore-dev': service.emulator.outputs };
  });
  afterAll(() => cloudFormation.stop());

  test('issues a token that the service accepts', async () => {
    const accessToken = await succeed(['issue', 'ci'], env);
    const headers = { Authorization: `Bearer ${accessToken}`, 'Content-Type': 'application/json' };
    const response = await service.send({ headers, body: exampleBody });
    expect(response.status).toBe(200);
    expect(await succeed(['list', '--stage', 'dev'], env)).toContain(accessToken.split('_')[1]);
  });

  test('reports a missing stack with its name and region', async () => {
    expect(await fail(['list', '--stage', 'pr-12'], env)).toMatch(/no stack PlantStore-pr-12 in eu-west-1: /);
  });

  test('reports in one line that a stack has no tokens table', async () => {
    cloudFormation.stacks = { 'PlantStore-prod': { BaseUrl: 'https://x' } };
    expect(await fail(['list', '--stage', 'prod'], env)).toMatch(
      /no output TokensTableName; with an OpenID Connect provider, get a token/,
    );
    cloudFormation.stacks = { 'PlantStore-prod': { TokensTableName: 'DeletedTable' } };
    expect(await fail(['list', '--stage', 'prod'], env)).toMatch(/the table does not exist/);
  });

  test.each([
    [
      'AccessDenied',
      /lack the permission .*; docs\/access-tokens.md lists the permissions that npm run token needs \(the reason\)/,
    ],
    ['ExpiredToken', /rejected your credentials: sign in again \(the reason\)/],
    ['SomethingNew', /SomethingNew: the reason/],
  ])('explains the AWS error %s in one line', async (code, line) => {
    cloudFormation.failure = code;
    expect(await fail(['list'], env)).toMatch(line);
  });

  test.each(['CLOUDFORMATION', 'DYNAMODB'])(
    'reports in one line that it received a sign-in page instead of a response from %s',
    async (name) => {
      const page = '<!DOCTYPE html>\n<html><br>Sign in</html>';
      const proxy = await startScriptedServer({ status: 200, body: page });
      expect(await fail(['issue', 'ci'], { ...env, [`AWS_ENDPOINT_URL_${name}`]: proxy.url })).toMatch(
        /^token: the response did not come from AWS: check your network for a proxy or a sign-in page/,
      );
      await proxy.stop();
    },
  );

  test('explains missing credentials, a missing region and a missing connection, each in one line', async () => {
    const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, ...nobody } = env;
    expect(await fail(['list'], nobody)).toMatch(/no AWS credentials: sign in.*--local/);
    const { AWS_REGION, ...nowhere } = env;
    expect(await fail(['list'], nowhere)).toMatch(/no AWS region: set AWS_REGION.*--local/);
    const offline = { ...env, AWS_ENDPOINT_URL_CLOUDFORMATION: 'http://127.0.0.1:1' };
    expect(await fail(['list'], offline)).toMatch(/no connection/);
  });

  test("uses the profile's region if AWS_REGION is empty", async () => {
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
  const caught = commands.filter((command) => /--json|\$\(| > /.test(command));
  expect(caught.length).toBeGreaterThan(0);
  for (const command of caught) expect(command).toContain('npm run --silent token -- ');
});
