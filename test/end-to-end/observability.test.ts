import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { INVALID_BODY } from '../../tools/contract/example-requests.ts';
import { issueToken } from '../../tools/tokens/token-lifecycle.ts';
import { tokenStore } from '../../tools/tokens/token-store.ts';
import { exampleBody, exampleOperation, exampleStatus } from '../support/service/contract.ts';
import { type ProxiedService, startProxiedService } from '../support/service/service.ts';

let service: ProxiedService;
beforeAll(async () => {
  service = await startProxiedService();
});
afterEach(() => {
  service.proxy.decide = () => 'none';
});
afterAll(() => service.stop());

/**
 * Sends a request, and asserts that the log contains no part of it that is secret.
 *
 * @returns the status and error code of the response, and the summary lines that a function logged
 */
async function send(body: string, token = service.token) {
  const before = service.log.length;
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  const response = await service.send({ body, headers });
  const logged = service.log.slice(before);
  const values = exampleBody.match(/"[^"]+"(?=[,}\]])/g) ?? [];
  for (const secret of ['confidential', ...values, token.slice(-64)])
    expect(logged.join('\n')).not.toContain(secret);
  // Only the functions' lines are JSON.
  const lines = logged.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line));
  const summariesOf = (name: string) => lines.filter((line) => line._aws && line.service === name);
  return { response: [response.status, response.body.error], summariesOf };
}

test.each([
  ['a valid body', exampleBody, [exampleStatus, undefined], { outcome: expect.any(String) }],
  ['an invalid body', '["confidential text"]', [400, 1002], { outcome: 'rejected', error: '1002' }],
])('an operation logs one line, without the body, for %s', async (_what, body, expected, line) => {
  const { response, summariesOf } = await send(body);
  expect(response).toEqual(expected);
  expect(summariesOf(exampleOperation.functionName)).toMatchObject([{ stage: 'dev', ...line }]);
});

test('an operation logs a fault if DynamoDB cannot be reached', async () => {
  // Lets API Gateway cache the authorizer's result.
  await send(INVALID_BODY);
  service.proxy.decide = () => 'reset before it was applied';
  const { response, summariesOf } = await send(exampleBody);
  expect(response).toEqual([400, 1500]);
  expect(summariesOf(exampleOperation.functionName)).toMatchObject([
    { outcome: 'fault', error: '1500' },
  ]);
});

test('the authorizer logs one line, without the token, for an unknown token', async () => {
  const unknown = service.token.replace(/_[0-9a-f]{16}_/, '_0000000000000000_');
  const { response, summariesOf } = await send(exampleBody, unknown);
  expect(response).toEqual([401, 2401]);
  expect(summariesOf('authorize')).toMatchObject([{ outcome: 'rejected', error: '2401' }]);
});

test('the authorizer logs a fault, without the token, if DynamoDB cannot be reached', async () => {
  const token = await newToken();
  service.proxy.decide = () => 'reset before it was applied';
  const { response, summariesOf } = await send(exampleBody, token);
  expect(response).toEqual([500, 2500]);
  expect(summariesOf('authorize')).toMatchObject([{ outcome: 'fault', error: '2500' }]);
});

/** Issues a token for which API Gateway has no cached result. */
async function newToken(): Promise<string> {
  const { dynamodb, emulator } = service;
  const store = tokenStore(dynamodb, emulator.outputs.TokensTableName ?? '');
  return (await issueToken(store, { client: 'another' })).text;
}
