import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { listOperations } from '../../lib/operations.ts';
import { exampleRequests, INVALID_BODY } from '../../tools/contract/example-requests.ts';
import { issueToken } from '../../tools/tokens/token-lifecycle.ts';
import { tokenStore } from '../../tools/tokens/token-store.ts';
import { exampleBody, exampleOperation } from '../support/service/contract.ts';
import type { HttpRequest } from '../support/service/http.ts';
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
async function send(request: HttpRequest, token = service.token) {
  const before = service.log.length;
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  const response = await service.send({ headers, ...request });
  const logged = service.log.slice(before);
  const values = String(request.body).match(/"[^"]+"(?=[,}\]])/g) ?? [];
  for (const secret of ['confidential', ...values, token.slice(-64)])
    expect(logged.join('\n')).not.toContain(secret);
  // Only the functions' lines are JSON.
  const lines = logged.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line));
  const summariesOf = (name: string) => lines.filter((line) => line._aws && line.service === name);
  return { response: [response.status, response.body.error], summariesOf };
}

test.each(listOperations())(
  'an operation logs one line under its own name, and its entry allows what it does: $operationId',
  async ({ method, path: template, functionName, tables }) => {
    const example = exampleRequests().find(
      (each) => each.method === method && each.template === template,
    );
    const request = {
      method,
      path: example?.path ?? template,
      body: JSON.stringify(example?.body),
    };
    // Lets API Gateway cache the authorizer's result.
    await send({ body: INVALID_BODY });
    const before = service.proxy.actions.length;
    const { summariesOf } = await send(request);
    expect(summariesOf(functionName)).toMatchObject([
      { stage: 'dev', outcome: expect.not.stringMatching('fault') },
    ]);
    const allowed = tables.flatMap(({ actions }) => actions);
    // A transaction needs the actions of its items; IAM has none for the transaction itself.
    const sent = service.proxy.actions.slice(before).filter((each) => !each.includes(':Transact'));
    expect(allowed).toEqual(expect.arrayContaining(sent));
  },
);

test('an operation logs one line, without the body, for an invalid body', async () => {
  const { response, summariesOf } = await send({ body: '["confidential text"]' });
  expect(response).toEqual([400, 1002]);
  expect(summariesOf(exampleOperation.functionName)).toMatchObject([
    { stage: 'dev', outcome: 'rejected', error: '1002' },
  ]);
});

test('an operation logs a fault if DynamoDB cannot be reached', async () => {
  // Lets API Gateway cache the authorizer's result.
  await send({ body: INVALID_BODY });
  service.proxy.decide = () => 'reset before it was applied';
  const { response, summariesOf } = await send({ body: exampleBody });
  expect(response).toEqual([400, 1500]);
  expect(summariesOf(exampleOperation.functionName)).toMatchObject([
    { outcome: 'fault', error: '1500' },
  ]);
});

test('the authorizer logs one line, without the token, for an unknown token', async () => {
  const unknown = service.token.replace(/_[0-9a-f]{16}_/, '_0000000000000000_');
  const before = service.proxy.actions.length;
  const { response, summariesOf } = await send({ body: exampleBody }, unknown);
  expect(service.proxy.actions.slice(before)).toEqual(['dynamodb:GetItem']);
  expect(response).toEqual([401, 2401]);
  expect(summariesOf('authorize')).toMatchObject([{ outcome: 'rejected', error: '2401' }]);
});

test('the authorizer logs a fault, without the token, if DynamoDB cannot be reached', async () => {
  const token = await newToken();
  service.proxy.decide = () => 'reset before it was applied';
  const { response, summariesOf } = await send({ body: exampleBody }, token);
  expect(response).toEqual([500, 2500]);
  expect(summariesOf('authorize')).toMatchObject([{ outcome: 'fault', error: '2500' }]);
});

/** Issues a token for which API Gateway has no cached result. */
async function newToken(): Promise<string> {
  const { dynamodb, emulator } = service;
  const store = tokenStore(dynamodb, emulator.outputs.TokensTableName ?? '');
  return (await issueToken(store, { client: 'another' })).text;
}
