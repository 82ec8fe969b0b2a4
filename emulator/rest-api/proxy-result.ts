import { validateHeaderName, validateHeaderValue } from 'node:http';
import { isObject, type Json, listOf, objectOf, parseJson } from '../json.ts';
import { GatewayError } from './gateway-response-types.ts';
import type { HttpResponse } from './response.ts';

/**
 * Headers that API Gateway sends under `x-amzn-Remapped-…` when a function sets them.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-known-issues.html
 */
const REMAPPED = new Set([
  ...[
    'authorization',
    'connection',
    'content-length',
    'content-md5',
    'date',
    'expect',
    'host',
    'max-forwards',
  ],
  ...['server', 'te', 'trailer', 'user-agent', 'via', 'warn', 'www-authenticate'],
]);
const DROPPED = new Set(['transfer-encoding', 'upgrade', 'proxy-authenticate']);

/** @throws GatewayError INTEGRATION_FAILURE for a result that is no Lambda proxy response */
export function parseProxyResult(result: Buffer): HttpResponse {
  try {
    const answer = parseJson(result.toString());
    if (!isObject(answer)) throw new TypeError('it is no object');
    const { body = '', isBase64Encoded } = answer;
    if (typeof body !== 'string' && body !== null) throw new TypeError('its body is no string');
    return {
      status: statusOf(answer.statusCode),
      headers: headersOf(answer.headers ?? undefined, answer.multiValueHeaders ?? undefined),
      body: Buffer.from(body ?? '', isBase64Encoded === true ? 'base64' : 'utf8'),
    };
  } catch (error) {
    throw new GatewayError('INTEGRATION_FAILURE', `the function's answer is malformed: ${String(error)}`);
  }
}

function statusOf(value: Json | undefined): number {
  const status = typeof value === 'string' ? Number(value) : value;
  if (typeof status === 'number' && Number.isInteger(status) && status >= 200 && status <= 599) return status;
  throw new TypeError(`its statusCode is ${JSON.stringify(value)}`);
}

function headersOf(single: Json | undefined, multiple: Json | undefined): [string, string][] {
  const many = Object.entries(objectOf(multiple, 'multiValueHeaders'));
  const named = new Set(many.map(([name]) => name.toLowerCase()));
  const one = Object.entries(objectOf(single, 'headers')).filter(([name]) => !named.has(name.toLowerCase()));
  const all = [
    ...one.map(([name, value]): [string, Json] => [name, value]),
    ...many.flatMap(([name, values]) => listOf(values, name).map((value): [string, Json] => [name, value])),
  ];
  const headers = all
    .filter(([name]) => !DROPPED.has(name.toLowerCase()))
    .map(([name, value]): [string, string] => {
      const sent = REMAPPED.has(name.toLowerCase()) ? `x-amzn-Remapped-${name}` : name;
      if (typeof value === 'object') throw new TypeError(`its header ${name} is no string`);
      validateHeaderName(sent);
      validateHeaderValue(sent, String(value));
      return [sent, String(value)];
    });
  const typed = headers.some(([name]) => name.toLowerCase() === 'content-type');
  return typed ? headers : [['Content-Type', 'application/json'], ...headers];
}
