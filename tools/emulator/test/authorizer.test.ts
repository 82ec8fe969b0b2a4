import { expect, test } from '@jest/globals';
import { startTestEmulator } from './fixtures/emulator.ts';
import { send } from './fixtures/http.ts';
import { arnOf, method, restApi, tokenAuthorizer } from './fixtures/resources.ts';

const arn = 'arn:aws:execute-api:us-east-1:123456789012:Api/v1';
/** Logs each event, and allows one method. */
const authorizer = `exports.handler = async (event) => {
  console.log(JSON.stringify(event));
  return { principalId: 'me', context: { number: 1.5, flag: true }, policyDocument: { Statement: [
    { Effect: 'Allow', Action: 'execute-api:Invoke', Resource: '${arn}/POST/plants' }] } };
};`;
const echo = `exports.handler = async (event) => ({
  statusCode: 200, body: JSON.stringify(event.requestContext.authorizer) });`;

// The rules for tokens, results, policies and the cache are in test/in-process/emulator, AWS's responses to failures in
// recorded-behaviour.test.ts.
test('a TOKEN authorizer gets the token and the ARN of the method, once for each token, and its context reaches the function', async () => {
  const emulator = await startTestEmulator({
    functions: { Authorize: authorizer, Echo: echo },
    resources: {
      ...restApi(),
      ...method('plants', 'POST', arnOf('Echo'), { authorizer: 'Authorizer' }),
      ...method('plants/{id}', 'POST', arnOf('Echo'), { authorizer: 'Authorizer' }),
      Authorizer: tokenAuthorizer(arnOf('Authorize')),
    },
  });
  const request = { method: 'POST', headers: { Authorization: 'Bearer x' } };
  const { status, text } = await send(emulator.url, '/plants/', request);
  // As in AWS: auth0-samples/jwt-rsa-aws-custom-authorizer#8.
  const other = await send(emulator.url, '/plants/1', request);
  await emulator.stop();

  expect([status, JSON.parse(text)]).toEqual([200, { principalId: 'me', number: '1.5', flag: 'true' }]);
  expect(other.status).toBe(403);
  expect(emulator.lines.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line))).toEqual([
    { type: 'TOKEN', methodArn: `${arn}/POST/plants`, authorizationToken: 'Bearer x' },
  ]);
});
