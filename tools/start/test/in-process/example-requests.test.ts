import { expect, test } from '@jest/globals';
import { exampleRequests } from '../../example-requests.ts';

const json = (media: object) => ({ requestBody: { content: { 'application/json': media } } });
const curl = (url: string) => `  curl -i ${url} -H "Authorization: Bearer $ACCESS_TOKEN"`;
const sending = (body: string) => ` \\\n    -H 'Content-Type: application/json' -d '${body}'`;

test.each<[string, string, object, string]>([
  ['the first of several examples', 'post', json({ examples: { a: { value: { n: 1 } }, b: {} } }), '{"n":1}'],
  ['a single example', 'post', json({ example: { n: 2 } }), '{"n":2}'],
  ['an example behind a $ref', 'post', json({ examples: { a: { $ref: '#/examples/n' } } }), '{"n":3}'],
  ['a body behind a $ref', 'post', { requestBody: { $ref: '#/bodies/n' } }, '{"n":4}'],
  ['no example', 'post', json({}), '{}'],
  ['a quote', 'post', json({ example: "it's" }), `"it'\\''s"`],
])('exampleRequests sends a body with %s', (_what, method, operation, body) => {
  const others = {
    examples: { n: { value: { n: 3 } } },
    bodies: { n: json({ example: { n: 4 } }).requestBody },
  };
  const contract = JSON.stringify({ paths: { '/a': { [method]: operation } }, ...others });
  expect(exampleRequests(contract)).toBe(`\n${curl('$BASE_URL/a')}${sending(body)}\n`);
});

test('exampleRequests names every other method than the one that curl would choose', () => {
  const paths = { '/a/{id}': { get: {}, delete: {}, put: json({}), post: {} }, '/b': { post: json({}) } };
  expect(exampleRequests(JSON.stringify({ paths })).trim().split('\n\n')).toEqual([
    curl('$BASE_URL/a/1').trim(),
    curl('-X DELETE $BASE_URL/a/1'),
    curl('-X PUT $BASE_URL/a/1') + sending('{}'),
    curl('-X POST $BASE_URL/a/1'),
    curl('$BASE_URL/b') + sending('{}'),
  ]);
});
