import { expect, test } from '@jest/globals';
import { curl } from '../../introduction.ts';

const authorized = '-H "Authorization: Bearer $ACCESS_TOKEN"';

test.each([
  [
    'POST',
    { text: "it's" },
    `curl -iw '\\n' $BASE_URL/a ${authorized} \\\n    -H 'Content-Type: application/json' -d '{"text":"it'\\''s"}'`,
  ],
  [
    'PUT',
    {},
    `curl -iw '\\n' -X PUT $BASE_URL/a ${authorized} \\\n    -H 'Content-Type: application/json' -d '{}'`,
  ],
  ['POST', undefined, `curl -iw '\\n' -X POST $BASE_URL/a ${authorized}`],
  ['GET', undefined, `curl -iw '\\n' $BASE_URL/a ${authorized}`],
])(
  'the command for a %s with the body %j names the method only if curl would choose another',
  (method, body, command) => {
    expect(curl({ method, path: '/a', body })).toBe(`\n  ${command}\n`);
  },
);
