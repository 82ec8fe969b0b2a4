import { expect, test } from '@jest/globals';
import type { Json, JsonObject } from '../../json.ts';
import { parsePolicy } from '../../rest-api/policy.ts';

const arn = 'arn:aws:execute-api:us-east-1:123456789012:Api/dev/POST/plants';
const statement = (more: JsonObject): JsonObject => ({
  Effect: 'Allow',
  Action: 'execute-api:Invoke',
  Resource: '*',
  ...more,
});

test.each<[string, Json, boolean]>([
  ['the ARN as the resource', [statement({ Resource: arn })], true],
  ['* in place of a part of the ARN', [statement({ Resource: arn.replace('dev/POST', '*') })], true],
  ['a prefix of the ARN as the resource', [statement({ Resource: arn.slice(0, -1) })], false],
  ['a character class', [statement({ Resource: `${arn.slice(0, -1)}[s]` })], false],
  ['a resource in uppercase', [statement({ Resource: arn.toUpperCase() })], false],
  ['a Deny after an Allow', [statement({}), statement({ Effect: 'Deny' })], false],
  ['a Deny for another resource', [statement({}), statement({ Effect: 'Deny', Resource: 'x' })], true],
  ['no statement', [], false],
])('returns whether a policy with %s allows the request: %j → %p', (_what, Statement, expected) => {
  expect(parsePolicy({ Statement })(arn)).toBe(expected);
});

test.each<[message: string, Json | undefined]>([
  ['the policyDocument has no Statement', undefined],
  ['the emulator does not support Condition in a policy', { Statement: [statement({ Condition: {} })] }],
  [
    'the Effect in a Statement must be Allow or Deny, got "allow"',
    { Statement: [statement({ Effect: 'allow' })] },
  ],
  ['the emulator does not support the Action "*" in a policy', { Statement: [statement({ Action: '*' })] }],
  [
    `the emulator does not support the Resource ["${arn}"] in a policy`,
    { Statement: [statement({ Resource: [arn] })] },
  ],
  [
    'the emulator does not support the Resource "a?" in a policy',
    { Statement: [statement({ Resource: 'a?' })] },
  ],
])('rejects a policy that it does not support: %s', (message, document) => {
  expect(() => parsePolicy(document)).toThrow(new TypeError(message));
});
