import { expect, test } from '@jest/globals';
import type { Json, JsonObject } from '../../json.ts';
import { allows, parsePolicy } from '../../rest-api/policy.ts';

const arn = 'arn:aws:execute-api:us-east-1:123456789012:Api/dev/POST/plants';
const statement = (more: JsonObject): JsonObject => ({
  Effect: 'Allow',
  Action: 'execute-api:Invoke',
  Resource: '*',
  ...more,
});

test.each<[string, Json, boolean]>([
  ['a statement that is not in an array', statement({ Sid: 'One' }), true],
  ['an array of resources', [statement({ Resource: ['x', arn] })], true],
  ['? in place of one character', [statement({ Resource: arn.replace('plants', 'plant?') })], true],
  ['? after the end of the ARN', [statement({ Resource: `${arn}?` })], false],
  ['a prefix of the ARN as the resource', [statement({ Resource: arn.slice(0, -1) })], false],
  ['a character class', [statement({ Resource: `${arn.slice(0, -1)}[s]` })], false],
  ['an action in uppercase', [statement({ Action: 'EXECUTE-API:INVOKE' })], true],
  ['a resource in uppercase', [statement({ Resource: arn.toUpperCase() })], false],
  ['a different action', [statement({ Action: 'execute-api:Manage' })], false],
  ['a Deny after an Allow', [statement({}), statement({ Effect: 'Deny' })], false],
  ['a Deny for a different action', [statement({}), statement({ Effect: 'Deny', Action: 'x' })], true],
  ['no statement', [], false],
])('returns whether a policy with %s allows the request: %j → %p', (_what, Statement, expected) => {
  expect(allows(parsePolicy({ Statement }), arn)).toBe(expected);
});

test.each<[string, Json | undefined, string]>([
  ['no document', undefined, 'the policyDocument has no Statement'],
  [
    'a Condition',
    { Statement: statement({ Condition: {} }) },
    'the emulator does not support Condition in a policy',
  ],
  [
    'an unknown Effect',
    { Statement: statement({ Effect: 'allow' }) },
    'the Effect in a Statement must be Allow or Deny, got "allow"',
  ],
  [
    'a resource that is not a string',
    { Statement: statement({ Resource: [1] }) },
    'the Action and the Resource in a Statement must be strings or arrays of strings',
  ],
])('rejects a policy with %s', (_what, document, message) => {
  expect(() => parsePolicy(document)).toThrow(new TypeError(message));
});
