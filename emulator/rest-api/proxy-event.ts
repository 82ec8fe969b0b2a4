import type { GatewayRequest } from './request.ts';
import type { Match } from './routes.ts';

/** Headers between the client and the gateway, which no function sees. */
const HOP_BY_HOP = new Set(['connection', 'expect', 'keep-alive', 'te', 'transfer-encoding', 'upgrade']);

export interface EventBody {
  readonly body: string | null;
  readonly isBase64Encoded: boolean;
}

/** `binary` says whether the API's media types have the body reach the function as bytes. */
export function eventBody(body: Buffer, binary: boolean): EventBody {
  if (body.length === 0) return { body: null, isBase64Encoded: false };
  return { body: body.toString(binary ? 'base64' : 'utf8'), isBase64Encoded: binary };
}

/** The event of a Lambda proxy integration, as API Gateway's REST APIs send it (payload format 1.0), as JSON. */
export function proxyEvent(
  request: GatewayRequest,
  { route, pathParameters }: Match,
  body: EventBody,
  account: string,
  authorizer: Readonly<Record<string, string>> | undefined,
): string {
  const headers = forwardedHeaders(request);
  const { query, stageVariables, stage } = request;
  const queryNames = new Set(query.keys());
  return JSON.stringify({
    resource: route.resourcePath,
    path: request.path,
    httpMethod: request.method,
    headers: Object.fromEntries(headers),
    multiValueHeaders: grouped(headers),
    queryStringParameters: queryNames.size === 0 ? null : Object.fromEntries(query),
    multiValueQueryStringParameters: queryNames.size === 0 ? null : grouped(query),
    pathParameters: pathParameters ?? null,
    stageVariables: Object.keys(stageVariables).length === 0 ? null : stageVariables,
    requestContext: {
      resourceId: route.resourceId,
      ...(authorizer === undefined ? {} : { authorizer }),
      resourcePath: route.resourcePath,
      httpMethod: request.method,
      extendedRequestId: request.requestId,
      requestTime: commonLogTime(request.timeEpoch),
      path: `/${stage}${request.path}`,
      accountId: account,
      protocol: 'HTTP/1.1',
      stage,
      domainPrefix: request.apiId,
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
      apiId: request.apiId,
    },
    ...body,
  });
}

function forwardedHeaders(request: GatewayRequest): (readonly [string, string])[] {
  const port = /:(\d+)$/.exec(request.header('host') ?? '')?.[1] ?? '80';
  return [
    ...request.headers.filter(([name]) => !HOP_BY_HOP.has(name.toLowerCase())),
    ['X-Amzn-Trace-Id', request.traceId],
    ['X-Forwarded-For', request.sourceIp],
    ['X-Forwarded-Port', port],
    ['X-Forwarded-Proto', 'http'],
  ];
}

function grouped(pairs: Iterable<readonly [string, string]>): Readonly<Record<string, readonly string[]>> {
  const groups = Map.groupBy(pairs, ([name]) => name);
  return Object.fromEntries([...groups].map(([name, entries]) => [name, entries.map(([, value]) => value)]));
}

/** `21/Nov/2026:00:20:05 +0000` */
function commonLogTime(epoch: number): string {
  const [, day, month, year, time] = new Date(epoch).toUTCString().split(' ');
  return `${day}/${month}/${year}:${time} +0000`;
}
