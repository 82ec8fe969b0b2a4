import { validateHeaderName, validateHeaderValue } from 'node:http';
import { isObject, type Json, listOf, objectOf, parseJson } from '../json.ts';
import { GatewayError } from './gateway-error.ts';
import type { GatewayRequest } from './request.ts';
import type { HttpResponse } from './response.ts';
import type { Match } from './routes.ts';

/** Headers of the connection between client and gateway, which the event does not contain. */
const HOP_BY_HOP = new Set(['connection', 'expect', 'keep-alive', 'te', 'transfer-encoding', 'upgrade']);

export interface EventBody {
  readonly body: string | null;
  readonly isBase64Encoded: boolean;
}

/** @param binary whether the API's media types make the body reach the function as base64 */
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

/**
 * Headers that API Gateway sends as `x-amzn-Remapped-…` if a function sets them.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-known-issues.html
 */
const REMAPPED = new Set([
  'authorization',
  'connection',
  'content-length',
  'content-md5',
  'date',
  'expect',
  'host',
  'max-forwards',
  'server',
  'te',
  'trailer',
  'user-agent',
  'via',
  'warn',
  'www-authenticate',
]);
const DROPPED = new Set(['transfer-encoding', 'upgrade', 'proxy-authenticate']);

/** @throws GatewayError INTEGRATION_FAILURE if the result is not a Lambda proxy response */
export function parseProxyResult(json: Buffer): HttpResponse {
  try {
    const result = parseJson(json.toString());
    if (!isObject(result)) throw new TypeError('it is not an object');
    const { body = '', isBase64Encoded } = result;
    if (typeof body !== 'string' && body !== null) throw new TypeError('its body is not a string');
    return {
      status: statusOf(result.statusCode),
      headers: headersOf(result.headers ?? undefined, result.multiValueHeaders ?? undefined),
      body: Buffer.from(body ?? '', isBase64Encoded === true ? 'base64' : 'utf8'),
    };
  } catch (error) {
    throw new GatewayError('INTEGRATION_FAILURE', `the function's result is invalid: ${String(error)}`);
  }
}

function statusOf(value: Json | undefined): number {
  const status = typeof value === 'string' ? Number(value) : value;
  if (typeof status === 'number' && Number.isInteger(status) && status >= 200 && status <= 599) return status;
  throw new TypeError(`its statusCode is ${JSON.stringify(value)}`);
}

function headersOf(single: Json | undefined, multiple: Json | undefined): [string, string][] {
  const many = Object.entries(objectOf(multiple, 'multiValueHeaders'));
  const names = new Set(many.map(([name]) => name.toLowerCase()));
  const one = Object.entries(objectOf(single, 'headers')).filter(([name]) => !names.has(name.toLowerCase()));
  const all = [
    ...one,
    ...many.flatMap(([name, values]) => listOf(values, name).map((value): [string, Json] => [name, value])),
  ];
  const headers = all
    .filter(([name]) => !DROPPED.has(name.toLowerCase()))
    .map(([name, value]): [string, string] => {
      const sent = REMAPPED.has(name.toLowerCase()) ? `x-amzn-Remapped-${name}` : name;
      if (typeof value === 'object') throw new TypeError(`its header ${name} is not a string`);
      validateHeaderName(sent);
      validateHeaderValue(sent, String(value));
      return [sent, String(value)];
    });
  const typed = headers.some(([name]) => name.toLowerCase() === 'content-type');
  return typed ? headers : [['Content-Type', 'application/json'], ...headers];
}
