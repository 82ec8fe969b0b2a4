import { createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type CloudFormation, startCloudFormation } from '../support/cloudformation.ts';
import { startIssuer } from '../support/issuer.ts';
import { listenOnLoopback } from '../support/loopback.ts';
import { startScriptedServer } from '../support/scripted-server.ts';
import { fail } from '../support/token-command.ts';

const replies: readonly [string, number, string][] = [
  ['HTML with status 500', 500, '<html>\n<body>Error</body></html>'],
  ['XML with status 403', 403, '<?xml version="1.0"?>\n<Error><Code>Denied</Code></Error>'],
  ['the HTML of a sign-in page', 200, '<!DOCTYPE html>\n<html><br>Sign in & pay</html>'],
  ['the XHTML of a sign-in page', 200, '<html><body>Sign in</body></html>'],
  ['no body and status 502', 502, ''],
];

let cloudFormation: CloudFormation;
beforeAll(async () => {
  cloudFormation = await startCloudFormation({
    'PlantStore-dev': { outputs: { TokensTableName: 'Tokens' } },
  });
});
afterAll(() => cloudFormation.stop());

/** Runs a command with other servers in place of those of AWS. */
function failWith(args: readonly string[], dynamodb: string, cloudFormation: string): Promise<string> {
  return fail(args, {
    AWS_REGION: 'eu-west-1',
    AWS_ACCESS_KEY_ID: 'operator',
    AWS_SECRET_ACCESS_KEY: 'operator',
    AWS_ENDPOINT_URL_CLOUDFORMATION: cloudFormation,
    AWS_ENDPOINT_URL_DYNAMODB: dynamodb,
  });
}

const commands = [['issue', 'ci'], ['list'], ['revoke', '0123456789abcdef'], ['rotate', 'ci']];
const notFromAws = /^token: the response is not one of AWS: check your network for a proxy or a sign-in page/;

test.each(replies)(
  'given %s instead of a response of DynamoDB or CloudFormation, the command prints one line',
  async (_name, status, body) => {
    const proxy = await startScriptedServer({ status, body });
    const endpoints = [cloudFormation.url, proxy.url];
    const lines = await Promise.all(endpoints.map((endpoint) => failWith(['list'], proxy.url, endpoint)));
    expect(lines).toEqual(endpoints.map(() => expect.stringMatching(notFromAws)));
    await proxy.stop();
  },
);

test('given an empty 200 instead of a response of DynamoDB, each command prints one line', async () => {
  const proxy = await startScriptedServer({ status: 200, body: '' });
  const lines = await Promise.all(commands.map((args) => failWith(args, proxy.url, cloudFormation.url)));
  expect(lines).toEqual(commands.map(() => expect.stringMatching(notFromAws)));
  await proxy.stop();
});

describe('a server that is not one of AWS is reported in one line', () => {
  test('if it does not speak HTTP', async () => {
    const tcp = createServer((socket) => socket.end('SSH-2.0-OpenSSH\r\n').on('error', () => {}));
    const { url, stop } = await listenOnLoopback(tcp);
    expect(await failWith(['list'], url, url)).toMatch(notFromAws);
    await stop();
  });

  test('if its certificate is not trusted', async () => {
    const { url, stop } = await startIssuer();
    expect(await failWith(['list'], url, url)).toMatch(notFromAws);
    await stop();
  });
});
