import { expect, test } from '@jest/globals';
import { curl, introduction } from '../../introduction.ts';

const authorized = '-H "Authorization: Bearer $ACCESS_TOKEN"';

test.each([
  [
    { text: "it's" },
    `${authorized} \\\n    -H 'Content-Type: application/json' -d '{"text":"it'\\''s"}'`,
  ],
  [undefined, authorized],
])('the command with the body %j can be pasted into a shell', (body, options) => {
  const command = `\n  curl -iw '\\n' -X PUT $BASE_URL/a ${options}\n`;
  expect(curl({ method: 'PUT', path: '/a', body })).toBe(command);
});

test('npm start names each resource that the emulator leaves out', () => {
  const url = 'http://127.0.0.1:3000';
  const leftOut = new Map([['Motto', 'AWS::SSM::Parameter']]);
  expect(introduction({ url, dynamodbEndpoint: url, leftOut }, undefined, 0)).toContain(
    'Left out   Motto (AWS::SSM::Parameter): no request depends on it\n',
  );
});
