import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { startTestEmulator, type TestEmulator } from './fixtures/emulator.ts';
import { send } from './fixtures/http.ts';
import { arnOf, method, restApi, tokenAuthorizer } from './fixtures/resources.ts';

/** Returns or throws what the token contains, `Bearer {JSON}`, and logs each event. */
const authorizer = `exports.handler = async (event) => {
  console.log('invoked ' + JSON.stringify(event));
  const token = JSON.parse(event.authorizationToken.slice(7));
  if (token.throw) throw new Error(token.throw);
  return token.return;
};`;
const echo = `exports.handler = async (event) => ({
  statusCode: 200, body: JSON.stringify(event.requestContext.authorizer) });`;

let emulator: TestEmulator;
let nonce = 0;

beforeAll(async () => {
  emulator = await startTestEmulator({
    functions: { Authorize: authorizer, Echo: echo },
    resources: {
      ...restApi(),
      ...method('plants', 'POST', arnOf('Echo'), { authorizer: 'Authorizer' }),
      ...method('plants/{id}', 'POST', arnOf('Echo'), { authorizer: 'Authorizer' }),
      Authorizer: tokenAuthorizer(arnOf('Authorize'), {
        IdentityValidationExpression: '(?i)Bearer \\{.*\\}',
      }),
    },
  });
});

afterAll(() => emulator.stop());
beforeEach(() => {
  nonce += 1;
});

// The rules for tokens, results, policies and the cache are in test/in-process/emulator, AWS's responses to failures in
// recorded-behaviour.test.ts.
describe('a TOKEN authorizer over HTTP', () => {
  const arn = 'arn:aws:execute-api:us-east-1:123456789012:Api/v1';
  const resultWith = (Effect: string, Resource: string) => ({
    principalId: 'me',
    policyDocument: {
      Version: '2012-10-17',
      Statement: [{ Effect, Action: 'execute-api:Invoke', Resource }],
    },
  });
  const call = async (token: object | string, path = '/plants') => {
    const Authorization = typeof token === 'string' ? token : `bearer ${JSON.stringify({ ...token, nonce })}`;
    const { status, text } = await send(emulator.url, path, { method: 'POST', headers: { Authorization } });
    return { status, text };
  };
  const invocations = () => emulator.lines.filter((line) => line.includes(`"nonce\\":${nonce}`));

  test('gets the token and the ARN of the method, and its context reaches the function', async () => {
    const result = { ...resultWith('Allow', `${arn}/POST/plants`), context: { number: 1.5, flag: true } };
    const { status, text } = await call({ return: result }, '/plants/');
    expect([status, JSON.parse(text)]).toEqual([200, { principalId: 'me', number: '1.5', flag: 'true' }]);
    const [line = ''] = invocations();
    expect(JSON.parse(line.slice('invoked '.length))).toEqual({
      type: 'TOKEN',
      methodArn: `${arn}/POST/plants`,
      authorizationToken: `bearer ${JSON.stringify({ return: result, nonce })}`,
    });
  });

  test('is not invoked for a token of another form', async () => {
    const before = emulator.lines.length;
    expect(await call('Basic {}')).toMatchObject({ status: 401 });
    expect(emulator.lines.length).toBe(before);
  });

  test('is rejected with 403 when the policy allows only another method', async () => {
    expect(await call({ return: resultWith('Allow', `${arn}/GET/*`) })).toMatchObject({ status: 403 });
  });

  test('is invoked once for a token as long as its result is cached', async () => {
    const token = { return: resultWith('Allow', `${arn}/*`) };
    for (let count = 0; count < 3; count += 1) expect((await call(token)).status).toBe(200);
    expect(invocations()).toHaveLength(1);
  });

  // As in AWS: auth0-samples/jwt-rsa-aws-custom-authorizer#8.
  test('applies a cached policy to another path, and rejects that with 403 if the policy does not allow it', async () => {
    const token = { return: resultWith('Allow', `${arn}/POST/plants`) };
    const statuses = [];
    for (const path of ['/plants', '/plants/1', '/plants']) statuses.push((await call(token, path)).status);
    expect(statuses).toEqual([200, 403, 200]);
    expect(invocations()).toHaveLength(1);
  });
});
