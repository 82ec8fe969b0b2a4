import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { createServer as createTcpServer, type Server as TcpServer } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { addressOf } from '../../emulator/listen.ts';
import { type Issuer, startIssuer } from '../support/issuer.ts';
import { type CloudFormation, startCloudFormation } from './cloudformation.ts';
import { fail } from './token-command.ts';

jest.setTimeout(60_000);

const replies = {
  'HTML with status 500': [500, 'text/html', '<html>\n<body>Error</body></html>'],
  'XML with status 403': [
    403,
    'application/xml',
    '<?xml version="1.0"?>\n<Error><Code>Denied</Code></Error>',
  ],
  'the HTML of a sign-in page': [200, 'text/html', '<!DOCTYPE html>\n<html><br>Sign in & pay</html>'],
  'the XHTML of a sign-in page': [200, 'text/html', '<html><body>Sign in</body></html>'],
  'no body and status 502': [502, 'text/html', ''],
} as const;
type Reply = (typeof replies)[keyof typeof replies];

let server: Server;
let reply: Reply;
let cloudFormation: CloudFormation;
let env: Record<string, string>;
beforeAll(async () => {
  server = createServer((request, response) => {
    const [status, type, body] = reply;
    request.resume().on('end', () => response.writeHead(status, { 'Content-Type': type }).end(body));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  cloudFormation = await startCloudFormation();
  cloudFormation.stacks = { 'PlantStore-dev': { TokensTableName: 'Tokens' } };
});
beforeEach(() => {
  const proxy = `http://127.0.0.1:${addressOf(server.address()).port}`;
  env = {
    AWS_REGION: 'eu-west-1',
    AWS_ACCESS_KEY_ID: 'operator',
    AWS_SECRET_ACCESS_KEY: 'operator',
    AWS_ENDPOINT_URL_CLOUDFORMATION: proxy,
    AWS_ENDPOINT_URL_DYNAMODB: proxy,
  };
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await cloudFormation.stop();
});

const commands = [['issue', 'ci'], ['list'], ['revoke', '0123456789abcdef'], ['rotate', 'ci']];
const notFromAws = /^token: the response is not one of AWS: check your network for a proxy or a sign-in page/;

describe.each(Object.entries(replies))('given %s', (_name, given) => {
  test('instead of a response of DynamoDB, each command prints one line', async () => {
    reply = given;
    const stack = { ...env, AWS_ENDPOINT_URL_CLOUDFORMATION: cloudFormation.url };
    for (const line of await Promise.all(commands.map((args) => fail(args, stack)))) {
      expect(line).toMatch(notFromAws);
    }
  });

  test('instead of a response of CloudFormation, the command prints one line', async () => {
    reply = given;
    expect(await fail(['list'], env)).toMatch(notFromAws);
  });
});

describe('a server that is not one of AWS is reported in one line', () => {
  let tcp: TcpServer;
  let issuer: Issuer;
  beforeAll(async () => {
    tcp = createTcpServer((socket) => socket.end('SSH-2.0-OpenSSH\r\n').on('error', () => {}));
    await once(tcp.listen(0, '127.0.0.1'), 'listening');
    issuer = await startIssuer();
  });
  afterAll(async () => {
    tcp.close();
    await issuer.stop();
  });

  test('if it does not speak HTTP', async () => {
    const url = `http://127.0.0.1:${addressOf(tcp.address()).port}`;
    expect(await fail(['list'], { ...env, AWS_ENDPOINT_URL_CLOUDFORMATION: url })).toMatch(notFromAws);
  });

  test('if its certificate is not trusted', async () => {
    expect(await fail(['list'], { ...env, AWS_ENDPOINT_URL_CLOUDFORMATION: issuer.url })).toMatch(notFromAws);
  });
});
