import { expect, test } from '@jest/globals';
import { exampleRequests } from '../../example-requests.ts';

const BEYOND_2_53 = JSON.rawJSON('9007199254740993');
const json = (media: object) => ({ requestBody: { content: { 'application/json': media } } });

test.each<[string, object, unknown]>([
  [
    'the first of several examples',
    json({ examples: { a: { value: { n: 1 } }, b: {} } }),
    { n: 1 },
  ],
  ['a single example, beyond 2^53', json({ example: BEYOND_2_53 }), BEYOND_2_53],
  ['an example behind a $ref', json({ examples: { a: { $ref: '#/examples/n' } } }), { n: 3 }],
  ['a body behind a $ref', { requestBody: { $ref: '#/bodies/n' } }, { n: 4 }],
  ['no example', json({}), {}],
  ['no body', {}, undefined],
])('exampleRequests returns a request for an operation that has %s', (_what, operation, body) => {
  const others = {
    examples: { n: { value: { n: 3 } } },
    bodies: { n: json({ example: { n: 4 } }).requestBody },
  };
  const paths = { '/a/{id}': { put: { ...operation, responses: { 400: {}, 201: {} } } } };
  const requests = exampleRequests(JSON.stringify({ paths, ...others }));
  expect(requests).toEqual([
    { method: 'PUT', template: '/a/{id}', path: '/a/1', body, status: 201 },
  ]);
});
