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

const introduce = (url: string) => {
  const leftOut = new Map([['Motto', 'AWS::SSM::Parameter']]);
  return introduction({ url, dynamodbEndpoint: url, leftOut }, undefined, 0);
};

test('npm start names each resource that the emulator leaves out', () => {
  expect(introduce('http://127.0.0.1:3000')).toContain(
    'Left out   Motto (AWS::SSM::Parameter): no request depends on it\n',
  );
});

test.each([
  ['http://localhost:3000', true],
  ['http://172.17.0.1:3000', false],
  ['http://[::]:3000', false],
])('npm start names the page at /docs only if it is served: at %s, %s', (url, isServed) => {
  expect(introduce(url).includes('/docs\n')).toBe(isServed);
});
