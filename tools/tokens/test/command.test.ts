import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { announceEmulator } from 'stack-emulator';
import { ACCESS_TOKEN_PATTERN } from '../../../lambda/shared/tokens/access-token.ts';
import { documents, read } from '../../../test/support/pages/code-blocks.ts';
import { runScript } from '../../../test/support/project/run-command.ts';
import {
  type CloudFormation,
  startCloudFormation,
} from '../../../test/support/servers/cloudformation.ts';
import { startScriptedServer } from '../../../test/support/servers/scripted-server.ts';
import { type Service, startTestService } from '../../../test/support/service/service.ts';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { explainFailure, messageOf } from '../../command-line/failures.ts';
import { DEFAULT_LIFETIME, lifetimeOf } from '../arguments.ts';
import { runToken } from '../run-token.ts';
import { fail, token } from './token-command.ts';

let service: Service;
let cloudFormation: CloudFormation;
/** Selects the same service with `--local` and as the stage `dev`. */
let env: Record<string, string>;
beforeAll(async () => {
  service = await startTestService();
  cloudFormation = await startCloudFormation({
    'PlantStore-dev': service.emulator.outputs,
    'PlantStore-deleted': { TokensTableName: 'DeletedTable' },
  });
  env = {
    ...cloudFormation.environment,
    DATA_DIR: service.dataDir,
    AWS_ENDPOINT_URL_DYNAMODB: service.emulator.dynamodbEndpoint,
  };
});

const idOf = (accessToken: string) => accessToken.split('_')[1] ?? '';

describe('npm run token', () => {
  test('prints the same help without arguments and for every command with --help', async () => {
    const { stdout } = await runToken([], {});
    for (const name of ['issue', 'list', 'revoke', 'rotate']) {
      expect(stdout).toContain(`token -- ${name}`);
      await expect(runToken([name, '--help'], {})).resolves.toEqual({ stdout });
    }
  });

  test.each([
    [['grow'], 'unknown command; expected issue, list, revoke or rotate'],
    [['issue'], 'expected one NAME, got 0 (quote a name with spaces); see npm run token -- --help'],
    [['issue', 'a"b'], 'start with a letter or digit, got a value of length 3 (not shown'],
    [['list', 'a'], "Unexpected argument 'a'; see npm run token -- --help"],
    [['list', '--expires', '90d'], "Unknown option '--expires'; see"],
    [['issue', 'a', '--local', '--stage', 'dev'], '--local and --stage are mutually exclusive'],
    [['list', '--stage', 'Prod'], '--stage must be a name that starts with'],
    [['rotate', 'a', '--overlap', 'never'], '--overlap must be a duration from 0s to 3650d, '],
  ])('rejects %j with a message that says what to do', async (args, message) => {
    await expect(runToken(args, {})).rejects.toThrow(message);
  });

  test.each(['90', '90y', '3651d', '0s'])('rejects --expires=%s', (duration) => {
    expect(() => lifetimeOf(duration)).toThrow('--expires must be a duration from 1s to 3650d');
  });

  test.each([
    ['45s', 45],
    ['2m', 120],
    ['2h', 7_200],
    ['2w', 1_209_600],
    ['3650d', 315_360_000],
    ['never', undefined],
  ])('--expires=%s means %p seconds', (duration, seconds) => {
    expect(lifetimeOf(duration)).toBe(seconds);
  });

  test('prints only the issued token to stdout, and lists it as a JSON line with its times', async () => {
    const args = ['issue', 'a@b', '--expires', '2h', '--stage', 'dev'];
    const { stdout, stderr } = await runScript('token', args, env);
    expect(stdout).toMatch(new RegExp(`^${ACCESS_TOKEN_PATTERN}\n$`));
    const id = idOf(stdout);
    const lines = (await token(['list'], env)).stdout.split('\n');
    const listed = lines.map((line) => JSON.parse(line)).find((each) => each.id === id);
    const { issuedAt, expiresAt } = listed;
    expect(listed).toEqual({ id, client: 'a@b', issuedAt, expiresAt });
    expect(Date.parse(expiresAt) - Date.parse(issuedAt)).toBe(2 * 3_600_000);
    expect(Math.abs(Date.parse(issuedAt) - Date.now())).toBeLessThan(60_000);
    expect(stderr).toBe(
      `Issued the token ${id} to a@b; it will not be shown again. It expires ${expiresAt}, and nobody is warned: put this into a calendar.\n`,
    );
  });

  test('list reads every page of a large table', async () => {
    const page = (id: string, more: object) => ({
      status: 200,
      body: JSON.stringify({
        Items: [
          { id: { S: id }, client: { S: 'x' }, hash: { S: '0'.repeat(64) }, issuedAt: { N: '1' } },
        ],
        ...more,
      }),
    });
    const [first, second] = ['1'.repeat(16), '2'.repeat(16)];
    const dynamodb = await startScriptedServer(
      page(first, { LastEvaluatedKey: { id: { S: first } } }),
      page(second, {}),
    );
    const { stdout } = await token(['list'], {
      ...env,
      AWS_ENDPOINT_URL_DYNAMODB: dynamodb.url,
    });
    expect(stdout.split('\n').map((line) => JSON.parse(line).id)).toEqual([first, second]);
    expect(dynamodb.requests.at(-1)?.body).toContain('"ConsistentRead":true');
  });

  test('names the ids of a client with several tokens instead of revoking one', async () => {
    const issued = async () => idOf((await runToken(['issue', 'twin', '--local'], env)).stdout);
    const ids = [await issued(), await issued()].sort();
    const message = await runToken(['revoke', 'twin', '--local'], env).catch(messageOf);
    expect(message).toContain('the client "twin" has 2 tokens: ');
    expect(message).toMatch(/; specify one of these ids$/);
    expect(`${message}`.match(/[0-9a-f]{16}/g)?.sort()).toEqual(ids);
  });

  test.each(['revoke', 'rotate'])(
    'says that a client has no token, and where to see all clients: %s',
    async (command) => {
      await expect(runToken([command, 'nobody', '--local'], env)).rejects.toThrow(
        /no valid token for client .*; to see all clients and ids, run npm run/,
      );
    },
  );
});

describe('npm run token -- list --local explains in one line', () => {
  const list = (DATA_DIR: string) => runToken(['list', '--local'], { DATA_DIR });

  test('that the emulator was killed, which leaves its announcement behind', async () => {
    const DATA_DIR = temporaryFolder();
    await announceEmulator(DATA_DIR, {
      ...service.emulator,
      dynamodbEndpoint: 'http://127.0.0.1:1',
    });
    const outcome = await runScript('token', ['list', '--local'], { DATA_DIR });
    const stderr = expect.stringMatching(/^token: no connection.*npm start.*127\.0\.0\.1:1.*\n$/);
    expect(outcome).toEqual({ code: 1, stdout: '', stderr });
  });

  test('that the emulator has no tokens table', async () => {
    const DATA_DIR = temporaryFolder();
    await announceEmulator(DATA_DIR, { ...service.emulator, outputs: {} });
    await expect(list(DATA_DIR)).rejects.toThrow(
      'no output TokensTableName; with an OpenID Connect provider, get a token from that provider',
    );
  });
});

describe('npm run token -- list of a stage explains in one line', () => {
  test.each([
    ['AccessDenied', 'lists the permissions that npm run token needs (the reason\\u202e)'],
    ['ExpiredToken', 'AWS rejected your credentials: sign in again (the reason\\u202e)'],
    ['SomethingNew', 'token: SomethingNew: the reason\\u202e'],
  ])('the AWS error %s', async (code, message) => {
    cloudFormation.failure = code;
    const line = await fail(['list'], env).finally(() => {
      cloudFormation.failure = undefined;
    });
    expect(line).toContain(message);
  });

  test('that there are no AWS credentials', async () => {
    const message = await fail(['list'], { ...env, AWS_ACCESS_KEY_ID: '' });
    expect(message).toMatch(/no AWS credentials: sign in.*--local/);
  });

  test.each(['ENOTFOUND', 'EAI_AGAIN'])('that DNS fails with %s', (code) => {
    const error = Object.assign(new Error('getaddrinfo'), { code });
    expect(explainFailure(error)).toContain('no connection: check your network');
  });

  test('that it has a deleted table', async () => {
    const message = await fail(['list', '--stage', 'deleted'], env);
    expect(message).toContain('the table does not exist');
  });

  test("that the stack does not exist in the profile's region if AWS_REGION is empty", async () => {
    const AWS_CONFIG_FILE = join(temporaryFolder(), 'config');
    writeFileSync(AWS_CONFIG_FILE, '[default]\nregion = eu-west-3\n');
    const profile = { ...env, AWS_REGION: '', AWS_CONFIG_FILE };
    const message = await fail(['list', '--stage', 'pr-12'], profile);
    expect(message).toContain('no stack PlantStore-pr-12 in eu-west-3: ');
  });

  test.each(['CLOUDFORMATION', 'DYNAMODB'])(
    'that a sign-in page came instead of a response from %s',
    async (name) => {
      const body = '<!DOCTYPE html>\n<html><br>Sign in</html>';
      const proxy = await startScriptedServer({ status: 200, body });
      const message = await fail(['list'], {
        ...env,
        [`AWS_ENDPOINT_URL_${name}`]: proxy.url,
      });
      expect(message).toContain(
        'the response did not come from AWS: check your network for a proxy or a sign-in page',
      );
    },
  );
});

test('access-tokens.md contains the default lifetime, the pattern that finds a leaked token, and permissions', () => {
  const page = read('docs/access-tokens.md');
  expect(page).toContain(`valid for ${DEFAULT_LIFETIME.replace('d', ' days')}`);
  expect(page).toContain(ACCESS_TOKEN_PATTERN);
  for (const [name] of read('tools/tokens/tokens-table.ts').matchAll(/(?<=new )\w+(?=Command)/g))
    expect(page).toContain(`\`${name}Item\``);
});

test('documented commands whose output is captured run npm with --silent', () => {
  const commands = documents.flatMap((page) => read(page).match(/\$\(npm run .*?\)/g) ?? []);
  expect(commands).not.toEqual([]);
  expect(commands.filter((command) => !command.startsWith('$(npm run --silent '))).toEqual([]);
});
