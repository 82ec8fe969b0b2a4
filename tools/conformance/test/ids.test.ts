import { expect, test } from '@jest/globals';
import { generatedValidator } from '../../../test/support/generated-validator.ts';
import { endsOf, LAST_ID } from '../ids.ts';

const FIRST = -(2n ** 63n);

test.each([
  ['"minimum":-9223372036854775808', [LAST_ID, FIRST]],
  ['"exclusiveMinimum":0', [LAST_ID]],
  ['"maximum":9', [FIRST]],
  ['"minimum":1,"maximum":9', []],
])('uses the largest and smallest int64 only if the contract accepts them: with %s, %p', (rule, ends) => {
  const id = `{"type":"integer","format":"int64",${rule}}`;
  const check = generatedValidator(`{"Body":{"type":"object","properties":{"id":${id}}}}`);
  expect(endsOf(({ body }) => check(`{"id":${body.id}}`).valid)).toEqual(ends);
});
