import {
  frontEnd,
  invalidSignature,
  missingToken,
  ok,
  type Row,
  throttled,
  unauthorized,
  validToken,
} from './row.ts';
import * as from from './sources.ts';

const tooLong = frontEnd(413, 'HTTP content length exceeded 10485760 bytes.');
const longHeaders = frontEnd(431, 'HTTP header is larger than 10240 bytes.');
const badRequest = frontEnd(400, 'Bad Request');

const body = Buffer.alloc(10_485_761, 'x');
const chunked = { 'Transfer-Encoding': 'chunked' };
const noToken = {};
const header = (length: number) => ({ ...validToken, X: 'x'.repeat(length) });
const inferred = `inferred from ${from.lgtm}, which has no request id`;

/** What AWS rejects, or accepts, before it knows any API. */
export const frontEndRows: readonly Row[] = [
  ['a body above 10 MB', { body }, tooLong, from.lgtm],
  ['a body above 10 MB without a token', { body, headers: noToken }, tooLong, inferred],
  ['a body above 10 MB on an unknown route', { body, path: '/nope' }, tooLong, inferred],
  ['a chunked body above 10 MB', { body, headers: chunked }, tooLong, from.unknown('as others')],
  ['headers above 10,240 bytes', { headers: header(10_300) }, longHeaders, from.longHeaders],
  ['headers above 16 KB', { headers: header(20_000) }, longHeaders, from.longHeaders],
  ['a long request line', { path: `/plants?${'x'.repeat(10_300)}` }, longHeaders, from.guide('quotas')],
  ['headers of 9 KB', { headers: header(9_000) }, ok, from.guide('quotas')],
  ['{ in the query', { path: '/plants?a={' }, badRequest, from.braces],
  ['} in the query', { path: '/plants?a=}' }, badRequest, from.braces],
  ['| in the query', { path: '/plants?a|b' }, badRequest, from.braces],
  ['{ in the path', { path: '/{plants' }, invalidSignature, from.unknown('routed')],
  ['a malformed escape in the query', { path: '/plants?a=%zz' }, ok, from.unknown('routed')],
];

const unknownRoutes = [
  ['GET', '/plants'],
  ['PUT', '/plants'],
  ['OPTIONS', '/plants'],
  ['POST', '/nope'],
  ['POST', '/'],
  ['POST', '/plants/1'],
  ['POST', '/PLANTS'],
  ['GET', '/docs/../plants'],
] as const;

const aws = { Authorization: 'AWS4-HMAC-SHA256 x' };
const override = (method: string) => ({ ...validToken, 'X-HTTP-Method-Override': method });
const literally = from.unknown('paths are compared literally');

export const routingRows: readonly Row[] = [
  ...unknownRoutes.flatMap(([method, path]): Row[] => [
    [`${method} ${path} without a token`, { method, path, headers: noToken }, missingToken, from.notFound],
    [`${method} ${path} with a token`, { method, path }, invalidSignature, from.signatures],
  ]),
  ['an AWS signature', { headers: aws }, unauthorized, 'blog.cheo.dev/til/aws-apigw-vpce-authorization'],
  ['/plants/', { path: '/plants/' }, { ...ok, event: { path: '/plants/' } }, 'aws/chalice#65'],
  ['//plants', { path: '//plants' }, { ...ok, event: { path: '/plants' } }, from.proxyEvent],
  ['/plants//', { path: '/plants//' }, invalidSignature, literally],
  ['/%70lants', { path: '/%70lants' }, invalidSignature, literally],
  ['/./plants', { path: '/./plants' }, invalidSignature, literally],
  ['GET, overridden with POST', { method: 'GET', headers: override('POST') }, ok, from.notes],
  ['POST, overridden with GET', { headers: override('GET') }, invalidSignature, from.notes],
  ['a request above the throttle', { path: '/throttled' }, throttled, 'ministack#1746'],
];
