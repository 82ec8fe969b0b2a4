import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { FunctionError, type Invoke } from '../../functions/invocation.ts';
import type { JsonObject } from '../../json.ts';
import { createAuthorize, parseAuthorizer, parseAuthorizerResult } from '../../rest-api/authorizer.ts';
import { request } from '../fixtures/gateway-request.ts';
import { tokenAuthorizer } from '../fixtures/resources.ts';
import { template } from '../fixtures/template.ts';

// What API Gateway responds to invalid results is in recorded/authorizer.ts.
describe('parseAuthorizerResult', () => {
  const policyDocument = { Statement: [{ Effect: 'Allow', Action: '*', Resource: '*' }] };
  const parse = (result: unknown) => parseAuthorizerResult(Buffer.from(JSON.stringify(result)));

  test('returns the context as strings, with the principalId of the result', () => {
    const context = { a: 'x', b: 1.5, c: true, principalId: 'not me' };
    expect(parse({ principalId: 'me', policyDocument, context }).context).toEqual({
      a: 'x',
      b: '1.5',
      c: 'true',
      principalId: 'me',
    });
    expect(parse({ principalId: 'me', policyDocument, context: null }).context).toEqual({
      principalId: 'me',
    });
    expect(parse({ policyDocument, usageIdentifierKey: 'x' }).context).toEqual({ principalId: '' });
  });
});

const authorizer = (properties: JsonObject = {}) => {
  const { only, resolver } = template({ A: tokenAuthorizer('uri', properties) });
  return parseAuthorizer(resolver.properties(only));
};

describe('parseAuthorizer', () => {
  test('returns the header and the TTL, 5 minutes by default', () => {
    expect(authorizer()).toMatchObject({ header: 'Authorization', validation: undefined, ttlMs: 300_000 });
    expect(authorizer({ AuthorizerResultTtlInSeconds: 7 }).ttlMs).toBe(7_000);
  });

  test.each([
    ['a|b', ['a', 'b', 'ab', 'xa', 'bx'], ['a', 'b']],
    ['(?i)a|b', ['A', 'b', 'AB'], ['A', 'b']],
    ['(?is)a.b', ['A\nB', 'xA\nB'], ['A\nB']],
  ])('matches the whole token with %s', (expression, tokens, matching) => {
    const { validation } = authorizer({ IdentityValidationExpression: expression });
    expect(tokens.filter((token) => validation?.test(token))).toEqual(matching);
  });

  test.each<[JsonObject, RegExp]>([
    [
      { Type: 'REQUEST' },
      /^A: the authorizer type REQUEST is not supported by the emulator: add it in emulator\/rest-api\/authorizer\.ts, or remove it from the stack$/,
    ],
    [
      { IdentitySource: 'method.request.querystring.a' },
      /^A\.IdentitySource: method.* is not a request header: write method\.request\.header\.NAME$/,
    ],
    [{ AuthorizerUri: { Ref: 'AWS::NoValue' } }, /^A\.AuthorizerUri is missing$/],
    [{ IdentityValidationExpression: 'a(?i)b' }, /Invalid group/],
  ])('rejects %j by name', (properties, message) => {
    expect(() => authorizer(properties)).toThrow(message);
  });
});

describe('createAuthorize', () => {
  const arn = 'arn:aws:execute-api:us-east-1:1:Api/dev/POST/plants';
  const allowed = {
    principalId: 'me',
    policyDocument: { Statement: [{ Effect: 'Allow', Action: '*', Resource: '*' }] },
  };
  const from = (token: string | undefined) => ({ ...request, header: () => token });

  const events: string[] = [];
  let result: () => unknown;
  let now: number;
  beforeEach(() => {
    events.length = 0;
    result = () => allowed;
    now = 1_000_000;
    jest.spyOn(Date, 'now').mockImplementation(() => now);
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });
  const invoke: Invoke = async (event) => {
    events.push(event);
    return Buffer.from(JSON.stringify(result()));
  };

  test('invokes the function once per token and TTL, with the method ARN', async () => {
    const authorize = createAuthorize(authorizer({ AuthorizerResultTtlInSeconds: 10 }), invoke);
    await expect(authorize(from('a'), arn)).resolves.toEqual({ principalId: 'me' });
    now += 9_999;
    await authorize(from('a'), arn);
    expect(events.map((event) => JSON.parse(event))).toEqual([
      { type: 'TOKEN', methodArn: arn, authorizationToken: 'a' },
    ]);
    await authorize(from('b'), arn);
    expect(events).toHaveLength(2);
    now += 1;
    await authorize(from('a'), arn);
    expect(events).toHaveLength(3);
  });

  test('caches the results of the last 1,000 tokens', async () => {
    const authorize = createAuthorize(authorizer(), invoke);
    for (let token = 0; token <= 1_000; token += 1) await authorize(from(String(token)), arn);
    await authorize(from('1'), arn);
    expect(events).toHaveLength(1_001);
    await authorize(from('0'), arn);
    expect(events).toHaveLength(1_002);
  });

  test.each([undefined, '', 'c'])('rejects the token %p without invoking the function', async (token) => {
    const authorize = createAuthorize(authorizer({ IdentityValidationExpression: 'a|b' }), invoke);
    await expect(authorize(from(token), arn)).rejects.toMatchObject({ type: 'UNAUTHORIZED' });
    expect(events).toEqual([]);
  });

  test('caches the policy, a Deny included, and not the decision on one method', async () => {
    const [Allow, other] = [{ Effect: 'Allow', Action: '*', Resource: arn }, arn.replace('POST', 'GET')];
    result = () => ({ principalId: 'me', policyDocument: { Statement: Allow } });
    const authorize = createAuthorize(authorizer(), invoke);
    await authorize(from('a'), arn);
    for (let count = 0; count < 2; count += 1)
      await expect(authorize(from('a'), other)).rejects.toMatchObject({ type: 'ACCESS_DENIED' });
    expect(events).toHaveLength(1);
  });

  test.each([
    ['Error', 'Unauthorized', 'UNAUTHORIZED', 'UNAUTHORIZED'],
    ['Error', 'unauthorized', 'AUTHORIZER_CONFIGURATION_ERROR', 'the authorizer failed: Error'],
    ['Sandbox.Timedout', '', 'AUTHORIZER_FAILURE', 'the authorizer failed: Sandbox.Timedout'],
  ])('maps the %s %p to %s, and does not cache it', async (errorType, thrown, type, message) => {
    result = () => {
      throw new FunctionError(errorType, thrown);
    };
    const authorize = createAuthorize(authorizer(), invoke);
    for (let count = 0; count < 2; count += 1) {
      await expect(authorize(from('a'), arn)).rejects.toMatchObject({ type, message });
    }
    expect(events).toHaveLength(2);
  });
});
