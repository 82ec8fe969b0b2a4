import { missingToken, ok, type RecordedResponse } from './rows.ts';
import * as from from './sources.ts';

/** The methods of an API. */
export const methods = [
  'GET /',
  'GET /users/{userId}',
  'PATCH /users/me',
  'GET /roles/{roleId}',
  'POST /roles/provision',
  'GET /b/{id}/c',
  'GET /b/x/d',
  'GET /c/{id}',
  'GET /c/x',
] as const;

const servedBy = (resource: string, pathParameters: object | null): RecordedResponse => ({
  ...ok,
  event: { resource, pathParameters },
});
const user = (userId: string) => servedBy('/users/{userId}', { userId });
const methodRequest = from.guide('method request');

/** Requests to the API, each with the expected response and the source of that response. */
export const rows: readonly (readonly [
  request: string,
  response: RecordedResponse,
  source: string,
])[] = [
  ['GET /', servedBy('/', null), methodRequest],
  ['GET /users/me', user('me'), from.floci],
  ['PATCH /users/me', servedBy('/users/me', null), from.floci],
  ['GET /users/abc123', user('abc123'), from.floci],
  ['POST /users/me', missingToken, from.floci],
  ['POST /roles/provision', servedBy('/roles/provision', null), from.floci],
  ['GET /roles/provision', servedBy('/roles/{roleId}', { roleId: 'provision' }), from.floci],
  ['GET /users/a/b', missingToken, 'inferred from {proxy+}, which matches several segments'],
  ['GET /b//c', missingToken, `inferred from ${from.proxyEvent}, which keeps the slashes`],
  ['GET /users/my-id%2F100', user('my-id%2F100'), 'aws/aws-sam-cli#3524'],
  ['GET /users/test%2Balias@gmail.com', user('test%2Balias@gmail.com'), from.proxyEvent],
  ['GET /c/x', servedBy('/c/x', null), methodRequest],
  ['GET /b/x/c', servedBy('/b/{id}/c', { id: 'x' }), `inferred from ${from.floci}`],
  ['GET /b/1/c/', servedBy('/b/{id}/c', { id: '1' }), 'aws/chalice#65'],
];
