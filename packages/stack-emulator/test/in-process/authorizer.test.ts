import { afterEach, expect, jest, test } from '@jest/globals';
import { FunctionError, type Invoke } from '../../functions/invocation.ts';
import { type JsonObject, Properties } from '../../json.ts';
import { createAuthorizer } from '../../rest-api/authorizer.ts';
import { parsePolicy } from '../../rest-api/policy.ts';
import { tokenAuthorizer } from '../fixtures/resources.ts';

const arn = 'arn:aws:execute-api:us-east-1:1:Api/dev/POST/plants';
const statement = (more: JsonObject = {}): JsonObject => ({
  Effect: 'Allow',
  Action: 'execute-api:Invoke',
  Resource: '*',
  ...more,
});
const policyDocument = { Statement: [statement()] };

afterEach(() => {
  jest.restoreAllMocks();
});

/** Creates an authorizer whose function, `invoke`, returns `result`. */
function authorizer(properties: JsonObject = {}, result: JsonObject = { policyDocument }) {
  const invoke = jest.fn<Invoke>(async () => Buffer.from(JSON.stringify(result)));
  const authorize = createAuthorizer(
    Properties.of(tokenAuthorizer('', properties).Properties, 'A'),
    invoke,
  );
  return {
    invoke,
    authorize: (token?: string, methodArn = arn) =>
      authorize(
        { header: (name) => (name === 'Authorization' ? token : undefined), traceId: '' },
        methodArn,
      ),
  };
}

// recorded/rows.ts tests the results that API Gateway rejects.
test('returns an authorizer’s context as strings, together with the principalId from its result', async () => {
  const context = { a: 'x', b: 1.5, c: true, principalId: 'not me' };
  const result = { principalId: 'me', policyDocument, context };
  expect(await authorizer({}, result).authorize('a')).toEqual({
    a: 'x',
    b: '1.5',
    c: 'true',
    principalId: 'me',
  });
});

test.each([
  ['a|b', 'a', true],
  ['a|b', 'ab', false],
  ['a|b', 'xa', false],
  ['.*', '', false],
  ['.*', undefined, false],
])(
  'if tokens must match %s, invokes the authorizer with the token %p: %p',
  async (expression, token, isInvoked) => {
    const { authorize, invoke } = authorizer({ IdentityValidationExpression: expression });
    const outcome = await authorize(token).then(
      () => 'allowed',
      ({ type }) => type,
    );
    expect(outcome).toBe(isInvoked ? 'allowed' : 'UNAUTHORIZED');
    expect(invoke).toHaveBeenCalledTimes(isInvoked ? 1 : 0);
  },
);

test.each<[JsonObject, string]>([
  [{ Type: 'REQUEST' }, 'A: the authorizer type REQUEST is not supported by the emulator'],
  [{ IdentitySource: 'a' }, 'A: the IdentitySource a is not supported by the emulator'],
  [{ IdentityValidationExpression: '(?i)a' }, '(?i)a'],
])('rejects an authorizer and names the cause, with %j', (properties, message) => {
  expect(() => authorizer(properties)).toThrow(message);
});

test.each<[JsonObject, number]>([
  [{ AuthorizerResultTtlInSeconds: 10 }, 10_000],
  [{ AuthorizerResultTtlInSeconds: 0 }, 0],
  [{}, 300_000],
])(
  'passes the method ARN to the authorizer, and caches the result per token until the TTL ends: %j',
  async (properties, ttl) => {
    const now = jest.spyOn(Date, 'now').mockReturnValue(1_000_000);
    const { authorize, invoke } = authorizer(properties);
    await authorize('a');
    now.mockReturnValue(1_000_000 + ttl - 1);
    await authorize('a');
    const event = JSON.stringify({ type: 'TOKEN', methodArn: arn, authorizationToken: 'a' });
    expect(invoke.mock.calls).toEqual([[event, '']]);
    await authorize('b');
    now.mockReturnValue(1_000_000 + ttl);
    await authorize('a');
    expect(invoke).toHaveBeenCalledTimes(3);
  },
);

test('caches an authorizer’s policy, including a Deny, not the decision for one method', async () => {
  const result = { policyDocument: { Statement: [statement({ Resource: arn })] } };
  const { authorize, invoke } = authorizer({}, result);
  await authorize('a');
  const denied = authorize('a', arn.replace('POST', 'GET'));
  await expect(denied).rejects.toMatchObject({ type: 'ACCESS_DENIED' });
  await authorize('a');
  expect(invoke).toHaveBeenCalledTimes(1);
});

test('does not cache an authorizer’s failure, and names its type in the log', async () => {
  const { authorize, invoke } = authorizer();
  invoke.mockRejectedValueOnce(new FunctionError('Error', 'unauthorized'));
  await expect(authorize('a')).rejects.toMatchObject({
    type: 'AUTHORIZER_CONFIGURATION_ERROR',
    message: 'the authorizer failed: Error',
  });
  await authorize('a');
});

// recorded/rows.ts tests policies that allow a request.
test.each<[string, JsonObject]>([
  ['a prefix of the ARN as the resource', { Resource: arn.slice(0, -1) }],
  ['a character class', { Resource: `${arn.slice(0, -1)}[s]` }],
  ['a resource in uppercase', { Resource: arn.toUpperCase() }],
  ['a Deny', { Effect: 'Deny' }],
])('a policy with %s does not allow the request: %j', (_what, more) => {
  expect(parsePolicy({ Statement: [statement(more)] })(arn)).toBe(false);
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
])('rejects a policy and names what the emulator supports: %j', (policy) => {
  expect(() => parsePolicy(policy)).toThrow(
    /^the Statement in the policyDocument must be at most one statement, which has only .*, got /,
  );
});
