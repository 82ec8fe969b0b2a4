import { validateHeaderName, validateHeaderValue } from 'node:http';
import { reasonOf } from '../errors.ts';
import { arrayAt, isObject, type Json, mismatch, objectAt, stringAt } from '../json.ts';
import { GatewayError } from './gateway-responses.ts';
import type { HttpResponse } from './response.ts';

/**
 * Headers in a function's response that API Gateway renames to `x-amzn-Remapped-…`, and headers that it drops.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-known-issues.html
 */
const REMAPPED = new Set([
  'authorization',
  'connection',
  'content-md5',
  'date',
  'max-forwards',
  'server',
  'user-agent',
  'www-authenticate',
]);
const DROPPED = new Set([
  'content-length',
  'expect',
  'host',
  'proxy-authenticate',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'via',
]);

/** @throws GatewayError INTEGRATION_FAILURE if the result is not a Lambda proxy response */
export function parseProxyResult(json: Buffer): HttpResponse {
  try {
    const result: Json = JSON.parse(json.toString());
    if (!isObject(result)) throw mismatch('it', 'an object', result);
    const { statusCode = 200, headers, multiValueHeaders, body, isBase64Encoded, ...rest } = result;
    const [unknown] = Object.keys(rest);
    if (unknown !== undefined) throw new TypeError(`it has the unknown field ${unknown}`);
    if (typeof (body ?? '') !== 'string') throw mismatch('its body', 'a string', body);
    return {
      status: statusOf(statusCode),
      headers: headersOf(headers, multiValueHeaders),
      body: Buffer.from(String(body ?? ''), isBase64Encoded === true ? 'base64' : 'utf8'),
    };
  } catch (error) {
    throw new GatewayError(
      'INTEGRATION_FAILURE',
      `the function's result is invalid: ${reasonOf(error)}`,
    );
  }
}

function statusOf(value: Json): number {
  const status = typeof value === 'string' ? Number(value) : value;
  if (typeof status === 'number' && Number.isInteger(status) && status >= 200 && status <= 599)
    return status;
  throw mismatch('its statusCode', 'a whole number from 200 to 599', value);
}

function headersOf(single: Json | undefined, multiple: Json | undefined): [string, string][] {
  const all = [
    ...Object.entries(objectAt(multiple, 'multiValueHeaders')).flatMap(([name, values]) =>
      arrayAt(values, name).map((value): [string, Json] => [name, value]),
    ),
    ...Object.entries(objectAt(single, 'headers')),
  ];
  const headers = all
    .filter(([name]) => !DROPPED.has(name.toLowerCase()))
    .map(([name, value]): [string, string] => {
      const sent = REMAPPED.has(name.toLowerCase()) ? `x-amzn-Remapped-${name}` : name;
      const text = stringAt(value, `its header ${name}`);
      validateHeaderName(sent);
      validateHeaderValue(sent, text);
      return [sent, text];
    });
  const typed = headers.some(([name]) => name.toLowerCase() === 'content-type');
  return typed ? headers : [['Content-Type', 'application/json'], ...headers];
}
