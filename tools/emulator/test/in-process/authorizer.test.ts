import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { FunctionError, type Invoke } from '../../functions/invocation.ts';
import { type JsonObject, Properties } from '../../json.ts';
import { createAuthorize } from '../../rest-api/authorizer.ts';
import { parsePolicy } from '../../rest-api/policy.ts';
import { tokenAuthorizer } from '../fixtures/resources.ts';

// recorded/rows.ts tests the results that API Gateway rejects.
const arn = 'arn:aws:execute-api:us-east-1:1:Api/dev/POST/plants';
const Action = 'execute-api:Invoke';
const policyDocument = { Statement: [{ Effect: 'Allow', Action, Resource: '*' }] };

const events: string[] = [];
let result: () => unknown;
let now: number;
beforeEach(() => {
  events.length = 0;
  result = () => ({ principalId: 'me', policyDocument });
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
/** Creates an authorizer that reads the token from the Authorization header. */
const authorizer = (properties: JsonObject = {}) => {
  const authorize = createAuthorize(
    Properties.of(tokenAuthorizer('', properties).Properties, 'A'),
    invoke,
  );
  return (token?: string, methodArn = arn) =>
    authorize(
      { header: (name) => (name === 'Authorization' ? token : undefined), traceId: '' },
      methodArn,
    );
};

test('returns an authorizer’s context as strings, together with the principalId from its result', async () => {
  const context = { a: 'x', b: 1.5, c: true, principalId: 'not me' };
  result = () => ({ principalId: 'me', policyDocument, context, usageIdentifierKey: 'x' });
  expect(await authorizer()('a')).toEqual({ a: 'x', b: '1.5', c: 'true', principalId: 'me' });
});

test.each([
  ['a|b', ['a', 'b', 'ab', 'xa', 'bx'], ['a', 'b']],
  ['a.', ['ab', 'xab', 'abx'], ['ab']],
])(
  'invokes the authorizer only if the whole token matches %s',
  async (expression, tokens, matching) => {
    const authorize = authorizer({ IdentityValidationExpression: expression });
    for (const token of [undefined, '', ...tokens]) {
      if (matching.includes(token ?? '')) await authorize(token);
      else await expect(authorize(token)).rejects.toMatchObject({ type: 'UNAUTHORIZED' });
    }
    expect(events.map((event) => JSON.parse(event).authorizationToken)).toEqual(matching);
  },
);

test.each<[JsonObject, RegExp]>([
  [{ Type: 'REQUEST' }, /^A: the authorizer type REQUEST is not supported by the emulator/],
  [{ IdentitySource: 'a' }, /^A: the IdentitySource a is not supported by the emulator/],
  [
    { IdentityValidationExpression: '(?i)a' },
    /the IdentityValidationExpression \(\?i\)a is not supported/,
  ],
])('rejects an authorizer with %j, and names the cause', (properties, message) => {
  expect(() => authorizer(properties)).toThrow(message);
});

test.each<[JsonObject, number]>([
  [{ AuthorizerResultTtlInSeconds: 10 }, 10_000],
  [{ AuthorizerResultTtlInSeconds: 0 }, 0],
  [{}, 300_000],
])(
  'passes the method ARN to the authorizer, and caches the result for each token until the TTL expires: %j',
  async (properties, ttl) => {
    const authorize = authorizer(properties);
    await authorize('a');
    now += ttl - 1;
    await authorize('a');
    expect(events).toEqual([
      JSON.stringify({ type: 'TOKEN', methodArn: arn, authorizationToken: 'a' }),
    ]);
    await authorize('b');
    now += 1;
    await authorize('a');
    expect(events).toHaveLength(3);
  },
);

test('caches an authorizer’s policy, including a Deny, not the decision for one method', async () => {
  const [Allow, other] = [{ Effect: 'Allow', Action, Resource: arn }, arn.replace('POST', 'GET')];
  result = () => ({ principalId: 'me', policyDocument: { Statement: [Allow] } });
  const authorize = authorizer();
  await authorize('a');
  for (let count = 0; count < 2; count += 1)
    await expect(authorize('a', other)).rejects.toMatchObject({ type: 'ACCESS_DENIED' });
  expect(events).toHaveLength(1);
});

test('does not cache an authorizer’s failure, and names its type in the log', async () => {
  result = () => {
    throw new FunctionError('Error', 'unauthorized');
  };
  const failure = {
    type: 'AUTHORIZER_CONFIGURATION_ERROR',
    message: 'the authorizer failed: Error',
  };
  const authorize = authorizer();
  for (let count = 0; count < 2; count += 1)
    await expect(authorize('a')).rejects.toMatchObject(failure);
  expect(events).toHaveLength(2);
});

const statement = (more: JsonObject = {}): JsonObject => ({
  Effect: 'Allow',
  Action: 'execute-api:Invoke',
  Resource: '*',
  ...more,
});

test.each<[string, JsonObject, boolean]>([
  ['the ARN as the resource', { Resource: arn }, true],
  ['* in place of a part of the ARN', { Resource: arn.replace('dev/POST', '*') }, true],
  ['a prefix of the ARN as the resource', { Resource: arn.slice(0, -1) }, false],
  ['a character class', { Resource: `${arn.slice(0, -1)}[s]` }, false],
  ['a resource in uppercase', { Resource: arn.toUpperCase() }, false],
  ['a Deny', { Effect: 'Deny' }, false],
])('returns whether a policy with %s allows the request: %j → %p', (_what, more, expected) => {
  expect(parsePolicy({ Statement: [statement(more)] })(arn)).toBe(expected);
});

test.each<JsonObject>([
  {},
  { Statement: statement() },
  { Statement: [statement(), statement()] },
  { Statement: [statement({ Condition: {} })] },
  { Statement: [statement({ Effect: 'allow' })] },
  { Statement: [statement({ Action: '*' })] },
  { Statement: [statement({ Resource: [arn] })] },
  { Statement: [statement({ Resource: 'a?' })] },
])('rejects the policy %j, and names what the emulator supports', (policy) => {
  expect(() => parsePolicy(policy)).toThrow(
    /^the Statement in the policyDocument must be at most one statement, which has only .*, got /,
  );
});
