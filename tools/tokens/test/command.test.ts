import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { announceEmulator } from '@plant-store/emulator';
import { type CloudFormation, startCloudFormation } from '../../../test/support/cloudformation.ts';
import { startScriptedServer } from '../../../test/support/scripted-server.ts';
import { type Service, startService } from '../../../test/support/service.ts';
import { fail, succeed, token } from '../../../test/support/token-command.ts';
import { run } from '../cli.ts';

const ACCESS_TOKEN = /^plantstore_[0-9a-f]{16}_[0-9a-f]{64}$/;

describe('npm run token', () => {
  test.each([[[]], [['--help']]])('prints the help of all commands, given %j', async (args) => {
    const { stdout } = await run(args, {});
    for (const name of ['issue', 'list', 'revoke', 'rotate']) expect(stdout).toContain(`token -- ${name}`);
  });

  test.each(['issue', 'list', 'revoke', 'rotate'])('prints the usage of %s, given --help', async (name) => {
    const { stdout } = await run([name, '--help'], {});
    expect(stdout).toMatch(new RegExp(`^npm run token -- ${name}`));
    expect(stdout).toContain('--json');
  });

  test.each<[string[], RegExp]>([
    [['grow'], /unknown command; expected issue, list, revoke or rotate$/],
    [['--local', 'list'], /unknown command; expected issue, list, revoke or rotate$/],
    [['issue'], /NAME is missing; see npm run token -- --help/],
    [['issue', ''], /NAME must be/],
    [['issue', 'a"b'], /NAME must be/],
    [['issue', '0123456789abcdef'], /NAME must not look like a token id/],
    [['issue', 'a', 'b'], /one NAME/],
    [['list', 'a'], /list accepts no NAME/],
    [['revoke'], /NAME-OR-ID is missing/],
    [['rotate'], /NAME is missing/],
    [['issue', 'a', '--expires'], /--expires/],
    [['issue', 'a', '--local', '--stage', 'dev'], /--local and --stage are mutually exclusive$/],
    [['list', '--stage', 'Prod'], /--stage must be a lowercase letter, .*, such as prod$/],
  ])('rejects %j with a message that ends in what to do', async (args, line) => {
    await expect(run(args, {})).rejects.toThrow(line);
  });

  test.each<[string[], RegExp]>([
    [['issue', 'a', '--expire', '90d'], /Unknown option '--expire'; issue accepts --expires, --local/],
    [['list', '--expires', '90d'], /Unknown option '--expires'; list accepts --local, --stage/],
    [['issue', 'a', '--expires', '-90d'], /'--expires' argument is ambiguous; issue accepts/],
  ])('rejects the options of %j with one line on stderr, and exits with 1', async (args, line) => {
    expect(await fail(args)).toMatch(line);
  });

  test.each(['90', 'd', '90 d', '1.5h', '-1d', '90y', '3651d', '0s', '99999999999999999999d', ''])(
    'rejects %p as an expiry of issue',
    async (duration) => {
      await expect(run(['issue', 'a', `--expires=${duration}`], {})).rejects.toThrow(
        /--expires must be a duration such as .*, or never$/,
      );
    },
  );

  test('rejects an overlap of rotate that is not a duration', async () => {
    await expect(run(['rotate', 'a', '--overlap', 'never'], {})).rejects.toThrow(
      /--overlap must be a duration .*, or 0s/,
    );
  });
});

describe('npm run token --local', () => {
  let service: Service;
  let env: Record<string, string>;
  beforeAll(async () => {
    service = await startService();
    env = { DATA_DIR: service.dataDir };
    await announceEmulator(service.dataDir, service.emulator);
  });
  afterAll(() => service.stop());

  test('prints only the token on stdout, and its expiry on stderr, when it issues one', async () => {
    const { stdout, stderr } = await token(['issue', 'shell', '--local'], env);
    expect(stdout.trimEnd()).toMatch(ACCESS_TOKEN);
    const [, id] = stdout.split('_');
    expect(stderr).toMatch(new RegExp(`^Issued the token ${id} to shell; it expires \\d{4}-\\S+Z and `));
  });

  test('prints nothing but JSON, given --json', async () => {
    const before = Date.now();
    const issued = await token(['issue', 'script', '--expires', '2h', '--json', '--local'], env);
    const { id, name, token: accessToken, issuedAt, expiresAt } = JSON.parse(issued.stdout);
    expect([name, accessToken.split('_')[1], issued.stderr]).toEqual(['script', id, '']);
    // The expiry counts from the start of the command, just before the token is issued.
    const lifetime = (Date.parse(expiresAt) - Date.parse(issuedAt)) / 1000;
    expect(lifetime).toBeLessThanOrEqual(2 * 3600);
    expect(lifetime).toBeGreaterThan(2 * 3600 - 60);
    expect(Date.parse(issuedAt)).toBeGreaterThan(before - 1000);

    const listed = JSON.parse(await succeed(['list', '--json', '--local'], env));
    expect(listed).toContainEqual({ id, name, issuedAt, expiresAt });
    const revoked = JSON.parse(await succeed(['revoke', id, '--json', '--local'], env));
    expect(revoked).toEqual({ id, name, issuedAt, expiresAt });
  });

  test('rejects an unknown name, and an ambiguous one with the ids to choose from', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 2; n += 1) {
      ids.push(JSON.parse(await succeed(['issue', 'twin', '--json', '--local'], env)).id);
    }
    const ambiguous = await fail(['revoke', 'twin', '--local'], env);
    for (const id of ids) expect(ambiguous).toContain(id);
    expect(await fail(['revoke', 'nobody', '--local'], env)).toMatch(/no token has the name or id "nobody"/);
    expect(await fail(['rotate', 'nobody', '--local'], env)).toMatch(/no token has the name "nobody"/);
    expect(await fail(['revoke', '0'.repeat(16), '--local'], env)).toMatch(/no token/);
  });

  test('suggests a list command that lists the same tokens, given an unknown name', async () => {
    const suggestion = await fail(['revoke', 'nobody', '--local'], env);
    const [, dataDir = '', args = ''] = /: DATA_DIR=(\S+) npm run token -- (.*)$/.exec(suggestion) ?? [];
    await succeed(['issue', 'somebody', '--local'], env);
    expect(await succeed(args.split(' '), { DATA_DIR: dataDir })).toContain('somebody');
  });

  test('reports in one line an emulator that is not running or has no tokens table', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'plant-store-data-'));
    expect(await fail(['list', '--local'], { DATA_DIR: dataDir })).toMatch(
      /no emulator is running.*npm start.*DATA_DIR/,
    );
    // An emulator that is killed cannot withdraw its announcement.
    await announceEmulator(dataDir, { ...service.emulator, dynamodbEndpoint: 'http://127.0.0.1:1' });
    expect(await fail(['list', '--local'], { DATA_DIR: dataDir })).toMatch(
      /no connection.*npm start.*127\.0\.0\.1:1/,
    );
    await announceEmulator(dataDir, { ...service.emulator, outputs: {} });
    expect(await fail(['list', '--local'], { DATA_DIR: dataDir })).toMatch(
      /OpenID Connect provider; request one/,
    );
    await rm(dataDir, { recursive: true });
  });
});

describe('npm run token, with a deployed stack,', () => {
  let service: Service;
  let cloudFormation: CloudFormation;
  let env: Record<string, string>;
  beforeAll(async () => {
    service = await startService();
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
    cloudFormation.stacks = {
      'PlantStore-dev': { outputs: { TokensTableName: service.emulator.outputs.TokensTableName ?? '' } },
    };
  });
  afterAll(async () => {
    await cloudFormation.stop();
    await service.stop();
  });

  test('issues a token that the service accepts', async () => {
    const accessToken = await succeed(['issue', 'ci'], env);
    const headers = { Authorization: `Bearer ${accessToken}`, 'Content-Type': 'application/json' };
    const response = await service.send({ headers, body: '{"id":1,"name":"Ficus"}' });
    expect(response.status).toBe(200);
    expect(await succeed(['list', '--stage', 'dev'], env)).toContain(accessToken.split('_')[1]);
  });

  test('reports a missing stack with its name and region', async () => {
    expect(await fail(['list', '--stage', 'pr-12'], env)).toMatch(/no stack PlantStore-pr-12 in eu-west-1: /);
  });

  test('suggests a list command for the same stage, given an unknown name', async () => {
    expect(await fail(['revoke', 'nobody', '--stage', 'dev'], env)).toMatch(/-- list --stage dev$/);
    expect(await fail(['revoke', 'nobody'], env)).toMatch(/-- list$/);
  });

  test('reports in one line a stack without a tokens table', async () => {
    cloudFormation.stacks = { 'PlantStore-prod': { outputs: { BaseUrl: 'https://x' } } };
    expect(await fail(['list', '--stage', 'prod'], env)).toMatch(/PlantStore-prod .*OpenID Connect/);
    cloudFormation.stacks = { 'PlantStore-prod': { outputs: { TokensTableName: 'DeletedTable' } } };
    expect(await fail(['list', '--stage', 'prod'], env)).toMatch(/the tokens table does not exist/);
  });

  test.each([
    ['AccessDenied', /lack a permission.* \(the reason\)/],
    ['ExpiredToken', /rejected your credentials: sign in again \(the reason\)/],
    ['InvalidClientTokenId', /rejected your credentials/],
    ['SignatureDoesNotMatch', /rejected your credentials/],
    ['SomethingNew', /SomethingNew: the reason/],
  ])('explains the AWS error %s in one line', async (code, line) => {
    cloudFormation.failure = code;
    expect(await fail(['list'], env)).toMatch(line);
  });

  test.each([
    ['CloudFormation', '<html><body>Sign in</body></html>'],
    ['DynamoDB', '<!DOCTYPE html>\n<html><br>Sign in & pay</html>'],
    ['DynamoDB', ''],
  ])('reports in one line a 200 in place of a response of %s: %j', async (service, body) => {
    const proxy = await startScriptedServer({ status: 200, body });
    const endpoint = { [`AWS_ENDPOINT_URL_${service.toUpperCase()}`]: proxy.url };
    expect(await fail(['issue', 'ci'], { ...env, ...endpoint })).toMatch(
      /^token: the response is not one of AWS: check your network for a proxy or a sign-in page/,
    );
    await proxy.stop();
  });

  test('explains missing credentials, region and connection in one line each', async () => {
    const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, ...nobody } = env;
    expect(await fail(['list'], nobody)).toMatch(/no AWS credentials: sign in.*--local/);
    const { AWS_REGION, ...nowhere } = env;
    expect(await fail(['list'], nowhere)).toMatch(/no AWS region: set AWS_REGION.*--local/);
    const offline = { ...env, AWS_ENDPOINT_URL_CLOUDFORMATION: 'http://127.0.0.1:1' };
    expect(await fail(['list'], offline)).toMatch(/no connection/);
  });
});
