import { expect, test } from '@jest/globals';
import type { JsonObject } from '../../json.ts';
import { parsePolicy } from '../../rest-api/policy.ts';

const arn = 'arn:aws:execute-api:us-east-1:123456789012:Api/dev/POST/plants';
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
