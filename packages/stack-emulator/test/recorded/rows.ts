import { expect } from '@jest/globals';
import type { defaultResponses } from '../../rest-api/gateway-responses.ts';
import type { Sent } from '../fixtures/http.ts';
import * as from from './sources.ts';

/** A request, AWS's response, and the source of that response. */
export type RecordedRow = readonly [
  what: string,
  request: RecordedRequest,
  response: RecordedResponse,
  source: string,
];

interface RecordedRequest extends Sent {
  /** The default request is POST /plants with a valid token. */
  readonly path?: string;
}

export interface RecordedResponse {
  readonly status: number;
  readonly text?: string;
  /** The headers, by lowercase name; undefined if a header must be absent. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
  /** Fields that the function's event must contain. */
  readonly event?: object;
  readonly requestId?: boolean;
}

export const ok: RecordedResponse = { status: 200 };

const gateway = (
  type: keyof typeof defaultResponses,
  status: number,
  error: string,
): RecordedResponse => ({
  status,
  // The body of each gateway response in the tests' template is the name of its type.
  text: type,
  headers: { 'content-type': 'application/json', 'x-amzn-errortype': `${error}Exception` },
  requestId: true,
});

export const missingToken = gateway(
  'MISSING_AUTHENTICATION_TOKEN',
  403,
  'MissingAuthenticationToken',
);
const invalidSignature = gateway('INVALID_SIGNATURE', 403, 'IncompleteSignature');
const unauthorized = gateway('UNAUTHORIZED', 401, 'Unauthorized');
const accessDenied = gateway('ACCESS_DENIED', 403, 'AccessDenied');
const misconfigured = gateway('AUTHORIZER_CONFIGURATION_ERROR', 500, 'AuthorizerConfiguration');
const eventTooLarge = gateway('REQUEST_TOO_LARGE', 413, 'BadRequest');
const functionFailed = gateway('INTEGRATION_FAILURE', 502, 'InternalServerError');
const functionTimedOut = gateway('INTEGRATION_TIMEOUT', 504, 'InternalServerError');

/** A response from AWS's front end, which receives requests before API Gateway does. */
const frontEnd = (status: number, text: string): RecordedResponse => ({
  status,
  text,
  headers: { 'content-type': 'text; charset=utf-8', 'x-amzn-errortype': undefined },
  requestId: false,
});

const policyDocument = {
  Statement: [{ Effect: 'Allow', Action: 'execute-api:Invoke', Resource: '*' }],
};
const allow = { principalId: 'me', policyDocument };
/** A token that contains a command for the tests' authorizer. */
const bearer = (token: object) => ({ Authorization: `Bearer ${JSON.stringify(token)}` });
export const validToken = bearer({ return: allow });

const tooLong = frontEnd(413, 'HTTP content length exceeded 10485760 bytes.');
const longHeaders = frontEnd(431, 'HTTP header is larger than 10240 bytes.');
const badRequest = frontEnd(400, 'Bad Request');

const body = Buffer.alloc(10_485_761, 'x');
const noToken = {};
const header = (length: number) => ({ ...validToken, X: 'x'.repeat(length) });
const inferred = `inferred from ${from.lgtm}, which has no request id`;

/** Requests that AWS's front end might reject. It passes some of them on to API Gateway. */
export const frontEndRows: readonly RecordedRow[] = [
  ['a body above 10 MB', { body }, tooLong, from.lgtm],
  ['a body above 10 MB without a token', { body, headers: noToken }, tooLong, inferred],
  ['a body above 10 MB on an unknown route', { body, path: '/nope' }, tooLong, inferred],
  ['headers above 10,240 bytes', { headers: header(10_300) }, longHeaders, from.longHeaders],
  ['headers above 16 KB', { headers: header(20_000) }, longHeaders, from.longHeaders],
  [
    'a long request line',
    { path: `/plants?${'x'.repeat(10_300)}` },
    longHeaders,
    from.guide('quotas'),
  ],
  ['headers of 9 KB', { headers: header(9_000) }, ok, from.guide('quotas')],
  ['{ in the query', { path: '/plants?a={' }, badRequest, from.braces],
  ['} in the query', { path: '/plants?a=}' }, badRequest, from.braces],
  ['| in the query', { path: '/plants?a|b' }, badRequest, from.braces],
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

export const routingRows: readonly RecordedRow[] = [
  ...unknownRoutes.flatMap(([method, path]): RecordedRow[] => [
    [
      `${method} ${path} without a token`,
      { method, path, headers: noToken },
      missingToken,
      from.notFound,
    ],
    [`${method} ${path} with a token`, { method, path }, invalidSignature, from.signatures],
  ]),
  [
    'an AWS signature',
    { headers: aws },
    unauthorized,
    'blog.cheo.dev/til/aws-apigw-vpce-authorization',
  ],
  ['/plants/', { path: '/plants/' }, { ...ok, event: { path: '/plants/' } }, 'aws/chalice#65'],
  ['//plants', { path: '//plants' }, { ...ok, event: { path: '/plants' } }, from.proxyEvent],
  [
    'GET with X-HTTP-Method-Override: POST',
    { method: 'GET', headers: override('POST') },
    ok,
    from.notes,
  ],
  [
    'POST with X-HTTP-Method-Override: GET',
    { headers: override('GET') },
    invalidSignature,
    from.notes,
  ],
];

const result = (result: unknown) => ({ headers: bearer({ return: result }) });
const allows = (path: string) => {
  const Resource = `arn:aws:execute-api:*/POST/trees/${path}`;
  return result({
    policyDocument: { Statement: [{ Effect: 'Allow', Action: 'execute-api:Invoke', Resource }] },
  });
};
const requestPath = 'dherault/serverless-offline#273';
const nothing = { Statement: [] };
const thrown = 'auth0-samples/jwt-rsa-aws-custom-authorizer#6';
const likeThrown = 'inferred from a function that throws';
const optional = 'marcogrcr on dev.to: only policyDocument is mandatory';

export const authorizerRows: readonly RecordedRow[] = [
  ['no token', { headers: {} }, unauthorized, from.denial],
  [
    'a token that the validation expression does not match',
    { headers: { Authorization: 'Basic x' } },
    unauthorized,
    'jasonbutz.info',
  ],
  [
    'an authorizer that throws Unauthorized',
    { headers: bearer({ throw: 'Unauthorized' }) },
    unauthorized,
    from.authorizers,
  ],
  [
    'an authorizer that throws a different error',
    { headers: bearer({ throw: 'a bug' }) },
    misconfigured,
    thrown,
  ],
  ['an authorizer that crashes', { headers: bearer({ exit: true }) }, misconfigured, likeThrown],
  ['an authorizer that cannot be loaded', { path: '/broken' }, misconfigured, likeThrown],
  [
    'a result with an unknown field',
    result({ ...allow, extra: 1 }),
    misconfigured,
    from.authorizerLog,
  ],
  ['a result without a policy', result({ principalId: 'me' }), misconfigured, from.authorizers],
  ['a result that is not an object', result('yes'), misconfigured, from.authorizers],
  [
    'an object in the context',
    result({ ...allow, context: { a: {} } }),
    misconfigured,
    from.authorizers,
  ],
  ['a result without a principalId', result({ policyDocument }), ok, optional],
  ['an empty principalId', result({ policyDocument, principalId: '' }), ok, from.authorizerLog],
  ['a policy without an Allow', result({ policyDocument: nothing }), accessDenied, from.denial],
  ['a policy for the path of the request', { path: '/trees/1', ...allows('1') }, ok, requestPath],
  [
    'a policy for a different path',
    { path: '/trees/2', ...allows('1') },
    accessDenied,
    requestPath,
  ],
  [
    'a policy for the path of the route',
    { path: '/trees/3', ...allows('{id}') },
    accessDenied,
    requestPath,
  ],
];

const returns = (result: unknown): RecordedRequest => ({
  body: JSON.stringify({ return: result }),
});
const sets = (headers: unknown) => returns({ statusCode: 200, headers });
const both = returns({
  statusCode: 200,
  headers: { a: 'single' },
  multiValueHeaders: { A: ['multi'] },
});
const sent = (headers: Record<string, string | undefined>) => ({ ...ok, headers });
const empty = { ...ok, text: '' };

export const resultRows: readonly RecordedRow[] = [
  ['a function that throws', { path: '/Throws' }, functionFailed, from.azul(7466)],
  ['a function that crashes', { path: '/Crashes' }, functionFailed, from.azul(6624)],
  [
    'a function that exceeds its timeout',
    { path: '/TakesTooLong' },
    functionTimedOut,
    from.azul(6284),
  ],
  ['a result above 6 MB', { path: '/ReturnsTooMuch' }, functionFailed, from.azul(8258)],
  ['a result of 6 MB', { path: '/ReturnsTooMuch', body: 'less' }, ok, from.azul(8258)],
  [
    'a result with an unknown field',
    returns({ statusCode: 200, wrongValue: 'x' }),
    functionFailed,
    from.resultFormat,
  ],
  [
    'a result without a status',
    returns({ headers: { a: 'b' } }),
    { ...empty, headers: { a: 'b' } },
    from.resultFormat,
  ],
  ['a result without any field', returns({}), empty, 'inferred from a result without a status'],
  ['a status as a string', returns({ statusCode: '201' }), { status: 201 }, from.resultFormat],
  [
    'a status that is not a number',
    returns({ statusCode: 'test' }),
    functionFailed,
    from.resultFormat,
  ],
  ['a string as the result', returns('justAString'), functionFailed, from.resultFormat],
  [
    'an object as the body',
    returns({ statusCode: 200, body: {} }),
    functionFailed,
    'lambda-proxy#59',
  ],
  ['null as the headers', sets(null), ok, from.resultFormat],
  ['null as the body', returns({ statusCode: 200, body: null }), empty, 'aws/aws-sam-cli#1161'],
  ['a boolean as a header', sets({ a: true }), sent({ a: 'true' }), from.resultFormat],
  ['an array as a header', sets({ a: ['x'] }), functionFailed, from.resultFormat],
  [
    'a header with a line break',
    sets({ a: 'b\r\nc: d' }),
    functionFailed,
    'inferred from other invalid results, because Node.js cannot send such a header',
  ],
  [
    'a header in both headers and multiValueHeaders',
    both,
    sent({ a: 'multi, single' }),
    from.resultFormat,
  ],
  [
    'a result without a Content-Type',
    sets({}),
    sent({ 'content-type': 'application/json' }),
    from.resultFormat,
  ],
  [
    'a Retry-After header',
    sets({ 'Retry-After': '1' }),
    sent({ 'retry-after': '1' }),
    from.remapping,
  ],
  ...[
    'Authorization',
    'Content-MD5',
    'Date',
    'Max-Forwards',
    'Server',
    'User-Agent',
    'WWW-Authenticate',
  ].map(
    (name): RecordedRow => [
      `the header ${name}, which is renamed`,
      sets({ [name]: 'mine' }),
      sent({ [`x-amzn-remapped-${name.toLowerCase()}`]: 'mine' }),
      from.remapping,
    ],
  ),
  ...[
    'Expect',
    'Host',
    'Proxy-Authenticate',
    'TE',
    'Trailer',
    'Transfer-Encoding',
    'Upgrade',
    'Via',
  ].map(
    (name): RecordedRow => [
      `the header ${name}, which is dropped`,
      sets({ [name]: 'mine' }),
      sent({
        [name.toLowerCase()]: undefined,
        [`x-amzn-remapped-${name.toLowerCase()}`]: undefined,
      }),
      from.remapping,
    ],
  ),
];

const plain = {
  ...ok,
  event: { body: Buffer.from('Grüße').toString('base64'), isBase64Encoded: true },
};
const none = { ...ok, event: { body: null, isBase64Encoded: false, queryStringParameters: null } };
const context = { requestContext: { authorizer: { principalId: 'me' } } };
const query = {
  queryStringParameters: { a: '2', b: 'x y' },
  multiValueQueryStringParameters: { a: ['1', '2'], b: ['x y'] },
};
const without = (name: string) => ({
  headers: expect.not.objectContaining({ [name]: expect.anything() }),
});
const twice = { headers: { ...validToken, 'Content-Type': ['a/b', 'c/d'] } };
const last = { headers: expect.objectContaining({ 'Content-Type': 'c/d' }) };

export const eventRows: readonly RecordedRow[] = [
  ['a body in base64', { body: 'Grüße' }, plain, from.lgtm],
  ["the authorizer's context", {}, { ...ok, event: context }, from.authorizers],
  ['null for an empty body', {}, none, `${from.proxyEvent}, without binary media types`],
  ['a query', { path: '/plants?a=1&b=x+y&a=2' }, { ...ok, event: query }, from.proxyEvent],
  ['the last of two headers with the same name', twice, { ...ok, event: last }, 'ministack'],
  ['no Content-Length', { body: 'x' }, { ...ok, event: without('Content-Length') }, from.remapping],
  ...['Content-MD5', 'Max-Forwards', 'Proxy-Authenticate', 'Server', 'TE', 'WWW-Authenticate'].map(
    (name): RecordedRow => [
      `no ${name}`,
      { headers: { ...validToken, [name]: 'x' } },
      { ...ok, event: without(name) },
      from.remapping,
    ],
  ),
  [
    'a body that makes the event almost 6 MB',
    { body: Buffer.alloc(4_600_000) },
    ok,
    from.azul(8258),
  ],
  [
    'no body that would make the event larger than 6 MB',
    { body: Buffer.alloc(5_000_000) },
    eventTooLarge,
    from.eventSize,
  ],
];
