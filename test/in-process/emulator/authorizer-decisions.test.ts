import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { FunctionError, type Invoke } from '../../../emulator/functions/invocation.ts';
import type { JsonObject } from '../../../emulator/json.ts';
import { createAuthorize, parseAuthorizer } from '../../../emulator/rest-api/authorizer.ts';
import { parseAuthorizerResult } from '../../../emulator/rest-api/authorizer-result.ts';
import { GatewayError } from '../../../emulator/rest-api/gateway-response-types.ts';
import { request } from '../../emulator/fixtures/gateway-request.ts';
import { tokenAuthorizer } from '../../emulator/fixtures/resources.ts';
import { template } from '../../emulator/fixtures/template.ts';

describe('the answer of an authorizer', () => {
  const policyDocument = { Statement: [{ Effect: 'Allow', Action: '*', Resource: '*' }] };
  const parse = (answer: unknown) => parseAuthorizerResult(Buffer.from(JSON.stringify(answer)));

  test('gives its context as texts, its principal the last word', () => {
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
  });

  test.each<[unknown, string]>([
    [null, 'it is no object'],
    [{ policyDocument }, 'it has no principalId'],
    [{ principalId: '', policyDocument }, 'it has no principalId'],
    [{ principalId: 7, policyDocument }, 'it has no principalId'],
    [{ principalId: 'me' }, 'has no Statement'],
    [
      { principalId: 'me', policyDocument, context: { a: {} } },
      'its context has no string, number or boolean as a',
    ],
    [
      { principalId: 'me', policyDocument, context: { a: null } },
      'its context has no string, number or boolean as a',
    ],
    [{ principalId: 'me', policyDocument, context: 'x' }, 'its context must be an object'],
  ])('%j is a fault', (answer, message) => {
    const refusal = refusalOf(() => parse(answer));
    expect(refusal.type).toBe('AUTHORIZER_CONFIGURATION_ERROR');
    expect(refusal.message).toMatch(/^the authorizer's answer can't be used: TypeError: /);
    expect(refusal.message).toContain(message);
  });
});

describe('an authorizer', () => {
  const arn = 'arn:aws:execute-api:us-east-1:1:Api/dev/POST/plants';
  const answer = (Effect: string) => ({
    principalId: 'me',
    policyDocument: { Statement: [{ Effect, Action: '*', Resource: '*' }] },
  });
  const asked: string[] = [];
  let reply: () => unknown = () => answer('Allow');
  let now = 0;
  beforeEach(() => {
    asked.length = 0;
    reply = () => answer('Allow');
    now = 1_000_000;
    jest.spyOn(Date, 'now').mockImplementation(() => now);
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });

  const pool: Invoke = async (event) => {
    asked.push(event);
    return Buffer.from(JSON.stringify(reply()));
  };
  const authorizer = (properties: JsonObject = {}) => {
    const { only, resolver } = template({ A: tokenAuthorizer('uri', properties) });
    return parseAuthorizer(only, resolver);
  };
  const from = (token: string | undefined) => ({ ...request, header: () => token });

  test('is read with its header, its five minutes and its expression for the whole token', () => {
    expect(authorizer()).toMatchObject({
      header: 'Authorization',
      validation: undefined,
      ttlMs: 300_000,
    });
    const { validation, ttlMs } = authorizer({
      IdentityValidationExpression: 'a|b',
      AuthorizerResultTtlInSeconds: 7,
    });
    expect(['a', 'b', 'ab', 'xa', 'bx'].filter((token) => validation?.test(token))).toEqual(['a', 'b']);
    expect(ttlMs).toBe(7_000);
    const anyCase = authorizer({ IdentityValidationExpression: '(?i)a|b' }).validation;
    expect(['A', 'b', 'AB'].filter((token) => anyCase?.test(token))).toEqual(['A', 'b']);
    const anyText = authorizer({ IdentityValidationExpression: '(?is)a.b' }).validation;
    expect(['A\nB', 'xA\nB'].filter((token) => anyText?.test(token))).toEqual(['A\nB']);
    expect(() => authorizer({ IdentityValidationExpression: 'a(?i)b' })).toThrow('Invalid group');
  });

  test.each<[JsonObject, RegExp]>([
    [
      { Type: 'REQUEST' },
      /^A: the emulator knows TOKEN authorizers only, not REQUEST: add it to the emulator in emulator\/rest-api\/authorizer\.ts/,
    ],
    [
      { IdentitySource: 'method.request.querystring.a' },
      /^A\.IdentitySource: method.* is no request header: name one as method\.request\.header\.NAME$/,
    ],
    [
      { IdentitySource: 'xmethod.request.header.a' },
      /is no request header: name one as method\.request\.header\.NAME$/,
    ],
    [
      { IdentitySource: 'method.request.header.a b' },
      /is no request header: name one as method\.request\.header\.NAME$/,
    ],
    [{ IdentitySource: { Ref: 'AWS::NoValue' } }, /^A\.IdentitySource is missing$/],
    [{ AuthorizerUri: { Ref: 'AWS::NoValue' } }, /^A\.AuthorizerUri is missing$/],
    [{ AuthorizerResultTtlInSeconds: 'x' }, /^A\.AuthorizerResultTtlInSeconds must be a number/],
  ])('%j is refused by name', (properties, message) => {
    expect(() => authorizer(properties)).toThrow(message);
  });

  test('is asked once in its time for each token, and of the method', async () => {
    const authorize = createAuthorize(authorizer({ AuthorizerResultTtlInSeconds: 10 }), pool);
    await expect(authorize(from('a'), arn)).resolves.toEqual({ principalId: 'me' });
    now += 9_999;
    await authorize(from('a'), arn);
    expect(asked.map((event) => JSON.parse(event))).toEqual([
      { type: 'TOKEN', methodArn: arn, authorizationToken: 'a' },
    ]);
    await authorize(from('b'), arn);
    expect(asked).toHaveLength(2);
    now += 1;
    await authorize(from('a'), arn);
    expect(asked).toHaveLength(3);
  });

  test('is asked each time where its time is 0', async () => {
    const authorize = createAuthorize(authorizer({ AuthorizerResultTtlInSeconds: 0 }), pool);
    for (let count = 0; count < 3; count += 1) await authorize(from('a'), arn);
    expect(asked).toHaveLength(3);
  });

  test('keeps ten thousand answers, and drops the oldest', async () => {
    const authorize = createAuthorize(authorizer(), pool);
    for (let count = 0; count <= 10_000; count += 1) await authorize(from(`token ${count}`), arn);
    await authorize(from('token 1'), arn);
    expect(asked).toHaveLength(10_001);
    await authorize(from('token 0'), arn);
    expect(asked).toHaveLength(10_002);
  });

  test('that answered anew is no longer the oldest', async () => {
    const authorize = createAuthorize(authorizer({ AuthorizerResultTtlInSeconds: 10 }), pool);
    for (let count = 0; count < 10_000; count += 1) await authorize(from(`token ${count}`), arn);
    now += 10_000;
    await authorize(from('token 0'), arn);
    await authorize(from('another token'), arn);
    asked.length = 0;
    await authorize(from('token 0'), arn);
    expect(asked).toEqual([]);
  });

  test.each([undefined, '', 'c'])('refuses %p unasked', async (token) => {
    const authorize = createAuthorize(authorizer({ IdentityValidationExpression: 'a|b' }), pool);
    await expect(authorize(from(token), arn)).rejects.toMatchObject({ type: 'UNAUTHORIZED' });
    expect(asked).toEqual([]);
  });

  test('keeps a deny', async () => {
    reply = () => answer('Deny');
    const authorize = createAuthorize(authorizer(), pool);
    for (let count = 0; count < 2; count += 1) {
      await expect(authorize(from('a'), arn)).rejects.toMatchObject({ type: 'ACCESS_DENIED' });
    }
    expect(asked).toHaveLength(1);
  });

  test.each([
    ['Unauthorized', 'UNAUTHORIZED', 'UNAUTHORIZED'],
    ['unauthorized', 'AUTHORIZER_FAILURE', 'the authorizer failed: Error'],
  ])('that throws %s has not answered, and is asked again', async (thrown, type, message) => {
    reply = () => {
      throw new FunctionError('Error', thrown);
    };
    const authorize = createAuthorize(authorizer(), pool);
    for (let count = 0; count < 2; count += 1) {
      await expect(authorize(from('a'), arn)).rejects.toMatchObject({ type, message });
    }
    expect(asked).toHaveLength(2);
  });

  test('lets what is no failure of the function through', async () => {
    reply = () => {
      throw new RangeError('ours');
    };
    await expect(createAuthorize(authorizer(), pool)(from('a'), arn)).rejects.toThrow(RangeError);
  });
});

function refusalOf(act: () => unknown): GatewayError {
  try {
    act();
  } catch (error) {
    if (error instanceof GatewayError) return error;
  }
  throw new Error('nothing was refused');
}
