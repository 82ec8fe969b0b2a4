import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { FunctionError, type Invoke } from '../../functions/invocation.ts';
import type { JsonObject } from '../../json.ts';
import { createAuthorize, parseAuthorizer, parseAuthorizerResult } from '../../rest-api/authorizer.ts';
import { GatewayError } from '../../rest-api/gateway-error.ts';
import { request } from '../fixtures/gateway-request.ts';
import { tokenAuthorizer } from '../fixtures/resources.ts';
import { template } from '../fixtures/template.ts';

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

  test.each<[unknown, string]>([
    [null, 'it is not an object'],
    [{ principalId: 7, policyDocument }, 'its principalId is not a string'],
    [{ principalId: 'me', policyDocument, extra: 1 }, 'it has the unknown field extra'],
    [{ principalId: 'me' }, 'has no Statement'],
    [
      { principalId: 'me', policyDocument, context: { a: {} } },
      'a in its context is not a string, number or boolean',
    ],
    [
      { principalId: 'me', policyDocument, context: { a: null } },
      'a in its context is not a string, number or boolean',
    ],
    [{ principalId: 'me', policyDocument, context: 'x' }, 'its context must be an object'],
  ])('throws AUTHORIZER_CONFIGURATION_ERROR for %j', (result, message) => {
    const error = gatewayErrorOf(() => parse(result));
    expect(error.type).toBe('AUTHORIZER_CONFIGURATION_ERROR');
    expect(error.message).toMatch(/^the result of the authorizer is invalid: TypeError: /);
    expect(error.message).toContain(message);
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
    [{ IdentitySource: 'xmethod.request.header.a' }, /is not a request header/],
    [{ IdentitySource: 'method.request.header.a b' }, /is not a request header/],
    [{ IdentitySource: { Ref: 'AWS::NoValue' } }, /^A\.IdentitySource is missing$/],
    [{ AuthorizerUri: { Ref: 'AWS::NoValue' } }, /^A\.AuthorizerUri is missing$/],
    [{ AuthorizerResultTtlInSeconds: 'x' }, /^A\.AuthorizerResultTtlInSeconds must be a number/],
    [{ IdentityValidationExpression: 'a(?i)b' }, /Invalid group/],
  ])('rejects %j by name', (properties, message) => {
    expect(() => authorizer(properties)).toThrow(message);
  });
});

describe('createAuthorize', () => {
  const arn = 'arn:aws:execute-api:us-east-1:1:Api/dev/POST/plants';
  const resultWith = (Effect: string) => ({
    principalId: 'me',
    policyDocument: { Statement: [{ Effect, Action: '*', Resource: '*' }] },
  });
  const from = (token: string | undefined) => ({ ...request, header: () => token });

  const events: string[] = [];
  let result: () => unknown;
  let now: number;
  beforeEach(() => {
    events.length = 0;
    result = () => resultWith('Allow');
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

  test('invokes the function for every request if the TTL is 0', async () => {
    const authorize = createAuthorize(authorizer({ AuthorizerResultTtlInSeconds: 0 }), invoke);
    for (let count = 0; count < 3; count += 1) await authorize(from('a'), arn);
    expect(events).toHaveLength(3);
  });

  test('caches the policy, not the decision on one method', async () => {
    result = () => ({
      principalId: 'me',
      policyDocument: { Statement: { Effect: 'Allow', Action: '*', Resource: arn } },
    });
    const authorize = createAuthorize(authorizer(), invoke);
    await authorize(from('a'), arn);
    await expect(authorize(from('a'), arn.replace('POST', 'GET'))).rejects.toMatchObject({
      type: 'ACCESS_DENIED',
    });
    expect(events).toHaveLength(1);
  });

  test.each([undefined, '', 'c'])('rejects the token %p without invoking the function', async (token) => {
    const authorize = createAuthorize(authorizer({ IdentityValidationExpression: 'a|b' }), invoke);
    await expect(authorize(from(token), arn)).rejects.toMatchObject({ type: 'UNAUTHORIZED' });
    expect(events).toEqual([]);
  });

  test('caches a Deny', async () => {
    result = () => resultWith('Deny');
    const authorize = createAuthorize(authorizer(), invoke);
    for (let count = 0; count < 2; count += 1) {
      await expect(authorize(from('a'), arn)).rejects.toMatchObject({ type: 'ACCESS_DENIED' });
    }
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

  test('rethrows an error that is not the function’s', async () => {
    result = () => {
      throw new RangeError('ours');
    };
    await expect(createAuthorize(authorizer(), invoke)(from('a'), arn)).rejects.toThrow(RangeError);
  });
});

function gatewayErrorOf(act: () => unknown): GatewayError {
  try {
    act();
  } catch (error) {
    if (error instanceof GatewayError) return error;
  }
  throw new Error('no GatewayError was thrown');
}
