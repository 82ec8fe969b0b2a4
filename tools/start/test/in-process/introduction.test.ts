import { expect, test } from '@jest/globals';
import { curl, introduction } from '../../introduction.ts';

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

test('npm start names each resource that the emulator leaves out', () => {
  const url = 'http://127.0.0.1:3000';
  const leftOut = new Map([['Motto', 'AWS::SSM::Parameter']]);
  expect(introduction({ url, dynamodbEndpoint: url, leftOut }, undefined, 0)).toContain(
    'Left out   Motto (AWS::SSM::Parameter): no request depends on it\n',
  );
});
