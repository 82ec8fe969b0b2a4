import { ACCOUNT } from '../template/intrinsics.ts';
import type { GatewayRequest } from './parse-request.ts';
import type { RestApi } from './rest-api.ts';
import type { Match } from './router.ts';

/**
 * API Gateway does not pass these request headers on.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-known-issues.html
 */
const DROPPED = new Set([
  'connection',
  'content-length',
  'content-md5',
  'expect',
  'max-forwards',
  'proxy-authenticate',
  'server',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'www-authenticate',
]);

/**
 * Returns the event of a Lambda proxy integration as JSON, in the format of a REST API (payload format 1.0).
 * @param context the authorizer's; undefined if the route has none
 */
export function proxyEvent(
  request: GatewayRequest,
  api: RestApi,
  { route, pathParameters }: Match,
  context: Readonly<Record<string, string>> | undefined,
): string {
  const headers = forwardedHeaders(request);
  const { query, body } = request;
  const isBase64Encoded = api.binary && body.length > 0;
  return JSON.stringify({
    resource: route.path,
    path: request.path,
    httpMethod: request.method,
    headers: Object.fromEntries(headers),
    multiValueHeaders: grouped(headers),
    queryStringParameters: query.size === 0 ? null : Object.fromEntries(query),
    multiValueQueryStringParameters: query.size === 0 ? null : grouped(query),
    pathParameters,
    stageVariables: null,
    requestContext: {
      resourceId: route.resourceId,
      authorizer: context,
      resourcePath: route.path,
      httpMethod: request.method,
      extendedRequestId: request.requestId,
      requestTime: commonLogTime(request.timeEpoch),
      path: `/${api.stage}${request.path}`,
      accountId: ACCOUNT,
      protocol: 'HTTP/1.1',
      stage: api.stage,
      domainPrefix: api.apiId,
      requestTimeEpoch: request.timeEpoch,
      requestId: request.requestId,
      identity: {
        cognitoIdentityPoolId: null,
        accountId: null,
        cognitoIdentityId: null,
        caller: null,
        sourceIp: request.sourceIp,
        principalOrgId: null,
        accessKey: null,
        cognitoAuthenticationType: null,
        cognitoAuthenticationProvider: null,
        userArn: null,
        userAgent: request.header('user-agent') ?? null,
        user: null,
      },
      domainName: request.header('host') ?? null,
      apiId: api.apiId,
    },
    body: body.length === 0 ? null : body.toString(isBase64Encoded ? 'base64' : 'utf8'),
    isBase64Encoded,
  });
}

function forwardedHeaders(request: GatewayRequest): (readonly [string, string])[] {
  const port = /:(\d+)$/.exec(request.header('host') ?? '')?.[1] ?? '80';
  return [
    ...request.headers.filter(([name]) => !DROPPED.has(name.toLowerCase())),
    ['X-Amzn-Trace-Id', request.traceId],
    ['X-Forwarded-For', request.sourceIp],
    ['X-Forwarded-Port', port],
    ['X-Forwarded-Proto', 'http'],
  ];
}

function grouped(
  pairs: Iterable<readonly [string, string]>,
): Readonly<Record<string, readonly string[]>> {
  const groups = Map.groupBy(pairs, ([name]) => name);
  return Object.fromEntries(
    [...groups].map(([name, entries]) => [name, entries.map(([, value]) => value)]),
  );
}

/** Formats a time as `21/Nov/2026:00:20:05 +0000`. */
function commonLogTime(epoch: number): string {
  const [, day, month, year, time] = new Date(epoch).toUTCString().split(' ');
  return `${day}/${month}/${year}:${time} +0000`;
}
