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

const unsupported = (what: string) => `the emulator does not support ${what} in a policy`;
test.each<[string, Json | undefined, string]>([
  ['no document', undefined, 'the policyDocument has no Statement'],
  ['a Condition', { Statement: [statement({ Condition: {} })] }, unsupported('Condition')],
  [
    'an unknown Effect',
    { Statement: [statement({ Effect: 'allow' })] },
    'the Effect in a Statement must be Allow or Deny, got "allow"',
  ],
  ['another action', { Statement: [statement({ Action: '*' })] }, unsupported('the Action "*"')],
  [
    'several resources',
    { Statement: [statement({ Resource: [arn] })] },
    unsupported(`the Resource ["${arn}"]`),
  ],
  ['? in a resource', { Statement: [statement({ Resource: 'a?' })] }, unsupported('the Resource "a?"')],
])('rejects a policy with %s', (_what, document, message) => {
  expect(() => parsePolicy(document)).toThrow(new TypeError(message));
});
