import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { startTestEmulator, type TestEmulator } from './fixtures/emulator.ts';
import { send } from './fixtures/http.ts';
import { arnOf, gatewayResponse, method, restApi, tokenAuthorizer } from './fixtures/resources.ts';

/** Its answer is in the token: `Bearer {JSON}`. It writes each call to its log. */
const authorizer = `exports.handler = async (event) => {
  console.log('asked ' + JSON.stringify(event));
  const answer = JSON.parse(event.authorizationToken.slice(7));
  if (answer.throw) throw new Error(answer.throw);
  return answer.return;
};`;
const echo = `exports.handler = async (event) => ({
  statusCode: 200, body: JSON.stringify(event.requestContext.authorizer) });`;

let stage: TestEmulator;
let nonce = 0;

beforeAll(async () => {
  stage = await startTestEmulator({
    functions: { Authorize: authorizer, Echo: echo },
    properties: { Authorize: { Timeout: 1 } },
    resources: {
      ...restApi(),
      ...method('plants', 'POST', arnOf('Echo'), { authorizer: 'Cached' }),
      ...method('uncached', 'POST', arnOf('Echo'), { authorizer: 'Uncached' }),
      ...method('brief', 'POST', arnOf('Echo'), { authorizer: 'Brief' }),
      Cached: tokenAuthorizer(arnOf('Authorize'), { IdentityValidationExpression: '(?i)Bearer \\{.*\\}' }),
      Uncached: tokenAuthorizer(arnOf('Authorize'), { AuthorizerResultTtlInSeconds: 0 }),
      Brief: tokenAuthorizer(arnOf('Authorize'), { AuthorizerResultTtlInSeconds: 1 }),
      ...Object.fromEntries(
        ['UNAUTHORIZED', 'ACCESS_DENIED', 'AUTHORIZER_FAILURE', 'AUTHORIZER_CONFIGURATION_ERROR'].map(
          (type) => [
            type.replaceAll('_', ''),
            gatewayResponse(type, {
              ResponseTemplates: { 'application/json': '$context.error.responseType' },
            }),
          ],
        ),
      ),
    },
  });
});

afterAll(() => stage.stop());
beforeEach(() => {
  nonce += 1;
});

const arn = 'arn:aws:execute-api:us-east-1:123456789012:Api/v1';
const statement = (Effect: string, Resource: unknown, Action: unknown = 'execute-api:Invoke') => ({
  Effect,
  Action,
  Resource,
});
const policy = (...Statement: unknown[]) => ({
  principalId: 'me',
  policyDocument: { Version: '2012-10-17', Statement },
});
const allowing = policy(statement('Allow', `${arn}/*`));

const tokenFor = (answer: unknown) => `Bearer ${JSON.stringify({ return: answer, nonce })}`;
const call = async (Authorization: string | undefined, path = '/plants') => {
  const headers: Record<string, string> = Authorization === undefined ? {} : { Authorization };
  const { status, text } = await send(stage.url, path, { method: 'POST', headers });
  return { status, text };
};
const timesAsked = () => stage.lines.filter((line) => line.includes(`"nonce\\":${nonce}`)).length;

describe('a token', () => {
  test.each([
    ['none', undefined],
    ['empty', ''],
    ['of another form', 'Basic {}'],
    ['with more behind it', 'Bearer {} x'],
    ['with something before it', 'x Bearer {}'],
  ])('that is %s is refused without asking the authorizer', async (_, token) => {
    const before = stage.lines.length;
    expect(await call(token)).toEqual({ status: 401, text: 'UNAUTHORIZED' });
    expect(stage.lines.length).toBe(before);
  });

  test('is sent to the authorizer with the method’s ARN', async () => {
    const token = tokenFor(allowing).replace('Bearer', 'bearer');
    await call(token, '/plants/');
    const asked = stage.lines.findLast((line) => line.startsWith('asked ')) ?? '';
    expect(JSON.parse(asked.slice(6))).toEqual({
      type: 'TOKEN',
      methodArn: `${arn}/POST/plants`,
      authorizationToken: token,
    });
  });
});

describe('the authorizer’s answer', () => {
  test('reaches the function as strings', async () => {
    const context = { text: 'a', number: 1.5, flag: true };
    const { status, text } = await call(tokenFor({ ...allowing, context }));
    expect(status).toBe(200);
    expect(JSON.parse(text)).toEqual({ principalId: 'me', text: 'a', number: '1.5', flag: 'true' });
  });

  test.each([
    ['the method itself', policy(statement('Allow', `${arn}/POST/plants`)), 200],
    [
      'wildcards',
      policy(statement('Allow', ['x', 'arn:aws:execute-api:*:*:Api/v?/P*T/*'], ['a', 'EXECUTE-API:*'])),
      200,
    ],
    ['another method', policy(statement('Allow', `${arn}/GET/plants`)), 403],
    ['a part of the ARN', policy(statement('Allow', `${arn}/POST/plant`)), 403],
    ['dots that are no wildcards', policy(statement('Allow', `${arn}/POST/.*`)), 403],
    ['another letter case', policy(statement('Allow', `${arn}/post/plants`)), 403],
    ['another action', policy(statement('Allow', '*', 'execute-api:ManageConnections')), 403],
    ['a deny', policy(statement('Deny', `${arn}/*`)), 403],
    ['a deny beside an allow', policy(statement('Allow', '*'), statement('Deny', `${arn}/POST/*`)), 403],
    ['a deny of something else', policy(statement('Allow', '*'), statement('Deny', `${arn}/GET/*`)), 200],
    ['no statement', policy(), 403],
  ])('with %s', async (_, answer, status) => {
    const text = status === 200 ? '{"principalId":"me"}' : 'ACCESS_DENIED';
    expect(await call(tokenFor(answer))).toEqual({ status, text });
  });

  test.each([
    ['no principalId', { ...allowing, principalId: undefined }],
    ['no policy', { principalId: 'me' }],
    ['an Effect that is none', policy(statement('allow', '*'))],
    ['a condition, which nobody would evaluate', policy({ ...statement('Allow', '*'), Condition: {} })],
    ['a context of objects', { ...allowing, context: { a: {} } }],
    ['nothing', null],
  ])('with %s is a fault, neither allow nor deny', async (_, answer) => {
    expect(await call(tokenFor(answer))).toEqual({ status: 500, text: 'AUTHORIZER_CONFIGURATION_ERROR' });
  });

  test('Unauthorized, thrown, is 401 and is not kept', async () => {
    const token = `Bearer ${JSON.stringify({ throw: 'Unauthorized', nonce })}`;
    expect(await call(token)).toEqual({ status: 401, text: 'UNAUTHORIZED' });
    await call(token);
    expect(timesAsked()).toBe(2);
  });

  test.each(['unauthorized', 'Unauthorized: no', 'the store is down'])(
    '%s, thrown, is a fault',
    async (message) => {
      const token = `Bearer ${JSON.stringify({ throw: message, nonce })}`;
      expect(await call(token)).toEqual({ status: 500, text: 'AUTHORIZER_FAILURE' });
    },
  );
});

describe('the result cache', () => {
  test.each([
    ['allow', allowing, 200],
    ['deny', policy(statement('Deny', '*')), 403],
  ])('keeps an %s', async (_, answer, status) => {
    for (let i = 0; i < 3; i++) expect((await call(tokenFor(answer))).status).toBe(status);
    expect(timesAsked()).toBe(1);
  });

  test('holds the policy, not the verdict on one method', async () => {
    const token = tokenFor(policy(statement('Allow', `${arn}/POST/plants`)));
    expect((await call(token)).status).toBe(200);
    expect((await call(token, '/plants/')).status).toBe(200);
    expect(timesAsked()).toBe(1);
  });

  test('ends after its time', async () => {
    const token = tokenFor(allowing);
    await call(token, '/brief');
    await call(token, '/brief');
    expect(timesAsked()).toBe(1);
    await new Promise((resolve) => setTimeout(resolve, 1_050));
    await call(token, '/brief');
    expect(timesAsked()).toBe(2);
  });

  test('keeps nothing with a time of 0', async () => {
    for (let i = 0; i < 3; i++) await call(tokenFor(allowing), '/uncached');
    expect(timesAsked()).toBe(3);
  });
});
