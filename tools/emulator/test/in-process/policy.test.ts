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
  ['a statement outside an array', statement({ Sid: 'One' }), true],
  ['an array of resources', [statement({ Resource: ['x', arn] })], true],
  ['? for one character', [statement({ Resource: arn.replace('plants', 'plant?') })], true],
  ['? for no character', [statement({ Resource: `${arn}?` })], false],
  ['a prefix of the ARN as the resource', [statement({ Resource: arn.slice(0, -1) })], false],
  ['a character class', [statement({ Resource: `${arn.slice(0, -1)}[s]` })], false],
  ['an action in capitals', [statement({ Action: 'EXECUTE-API:INVOKE' })], true],
  ['a resource in capitals', [statement({ Resource: arn.toUpperCase() })], false],
  ['a different action', [statement({ Action: 'execute-api:Manage' })], false],
  ['a deny after an allow', [statement({}), statement({ Effect: 'Deny' })], false],
  ['a deny of a different action', [statement({}), statement({ Effect: 'Deny', Action: 'x' })], true],
  ['no statement', [], false],
])('evaluates a policy with %s: %j → %p', (_what, Statement, expected) => {
  expect(allows(parsePolicy({ Statement }), arn)).toBe(expected);
});

test.each<[string, Json | undefined, string]>([
  ['no document', undefined, 'the policyDocument has no Statement'],
  [
    'a condition',
    { Statement: statement({ Condition: {} }) },
    'the emulator does not evaluate Condition in a policy',
  ],
  [
    'an unknown effect',
    { Statement: statement({ Effect: 'allow' }) },
    'the Effect of a Statement must be Allow or Deny, got "allow"',
  ],
  [
    'a resource that is not a string',
    { Statement: statement({ Resource: [1] }) },
    'the Action and the Resource of a Statement must be strings or arrays of strings',
  ],
])('rejects a policy with %s', (_what, document, message) => {
  expect(() => parsePolicy(document)).toThrow(new TypeError(message));
});
