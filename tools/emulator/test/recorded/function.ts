import { expect } from '@jest/globals';
import {
  eventTooLarge,
  functionFailed,
  functionTimedOut,
  ok,
  type RecordedRequest,
  type Row,
  validToken,
} from './row.ts';
import * as from from './sources.ts';

const returns = (result: unknown): RecordedRequest => ({ body: JSON.stringify({ return: result }) });
const sets = (headers: unknown) => returns({ statusCode: 200, headers });
const both = returns({ statusCode: 200, headers: { a: 'single' }, multiValueHeaders: { A: ['multi'] } });
const sent = (headers: Record<string, string | undefined>) => ({ ...ok, headers });
const empty = { ...ok, text: '' };

export const resultRows: readonly Row[] = [
  ['a function that throws', { body: 'throw' }, functionFailed, from.azul(7466)],
  ['a function that crashes', { body: 'exit' }, functionFailed, from.azul(6624)],
  ['a function above its timeout', { path: '/slow', body: 'sleep' }, functionTimedOut, from.azul(6284)],
  ['a result above 6 MB', { body: 'huge' }, functionFailed, from.azul(8258)],
  ['an unknown field', returns({ statusCode: 200, wrongValue: 'x' }), functionFailed, from.resultFormat],
  ['no status', returns({ headers: { a: 'b' } }), { ...empty, headers: { a: 'b' } }, from.resultFormat],
  ['no field', returns({}), empty, 'inferred from a result without a status'],
  ['a status as a string', returns({ statusCode: '201' }), { status: 201 }, from.resultFormat],
  ['a status that is not a number', returns({ statusCode: 'test' }), functionFailed, from.resultFormat],
  ['a string as the result', returns('justAString'), functionFailed, from.resultFormat],
  ['null as the result', returns(null), functionFailed, from.unknown('as a string')],
  ['an object as the body', returns({ statusCode: 200, body: {} }), functionFailed, 'lambda-proxy#59'],
  ['null as the headers', sets(null), ok, from.resultFormat],
  ['a boolean as a header', sets({ a: true }), sent({ a: 'true' }), from.resultFormat],
  ['an array as a header', sets({ a: ['x'] }), functionFailed, from.resultFormat],
  ['a header with a line end', sets({ a: 'b\r\nc: d' }), functionFailed, from.unknown('as other bugs')],
  ['a header in both objects of headers', both, sent({ a: 'multi, single' }), from.resultFormat],
  ['no Content-Type', sets({}), sent({ 'content-type': 'application/json' }), from.resultFormat],
  ['a Retry-After', sets({ 'Retry-After': '1' }), sent({ 'retry-after': '1' }), from.remapping],
  ...['Authorization', 'Content-MD5', 'Date', 'Max-Forwards', 'Server', 'User-Agent', 'WWW-Authenticate'].map(
    (name): Row => [
      `a header ${name}, renamed`,
      sets({ [name]: 'mine' }),
      sent({ [`x-amzn-remapped-${name.toLowerCase()}`]: 'mine' }),
      from.remapping,
    ],
  ),
  ...['Expect', 'Host', 'Proxy-Authenticate', 'TE', 'Trailer', 'Transfer-Encoding', 'Upgrade', 'Via'].map(
    (name): Row => [
      `a header ${name}, dropped`,
      sets({ [name]: 'mine' }),
      sent({ [name.toLowerCase()]: undefined, [`x-amzn-remapped-${name.toLowerCase()}`]: undefined }),
      from.remapping,
    ],
  ),
];

const plain = { ...ok, event: { body: Buffer.from('Grüße').toString('base64'), isBase64Encoded: true } };
const none = { ...ok, event: { body: null, isBase64Encoded: false, queryStringParameters: null } };
const context = { requestContext: { authorizer: { principalId: 'me' } } };
const query = {
  queryStringParameters: { a: '2', b: 'x y' },
  multiValueQueryStringParameters: { a: ['1', '2'], b: ['x y'] },
};
const without = (name: string) => ({ headers: expect.not.objectContaining({ [name]: expect.anything() }) });
const twice = { headers: { ...validToken, 'Content-Type': ['a/b', 'c/d'] } };
const last = { headers: expect.objectContaining({ 'Content-Type': 'c/d' }) };

export const eventRows: readonly Row[] = [
  ['a body as base64', { body: 'Grüße' }, plain, from.lgtm],
  ['the context of the authorizer', {}, { ...ok, event: context }, from.authorizers],
  ['null for an empty body', {}, none, `${from.proxyEvent}, without binary media types`],
  ['a query', { path: '/plants?a=1&b=x+y&a=2' }, { ...ok, event: query }, from.proxyEvent],
  ['the last of two equal headers', twice, { ...ok, event: last }, 'ministack'],
  ['no Content-Length', { body: 'x' }, { ...ok, event: without('Content-Length') }, from.remapping],
  ['no added Content-Type', { body: 'x' }, { ...ok, event: without('Content-Type') }, from.unknown('none')],
  ...['Content-MD5', 'Max-Forwards', 'Proxy-Authenticate', 'Server', 'TE', 'WWW-Authenticate'].map(
    (name): Row => [
      `no ${name}`,
      { headers: { ...validToken, [name]: 'x' } },
      { ...ok, event: without(name) },
      from.remapping,
    ],
  ),
  ['at most 6 MB', { body: Buffer.alloc(4_600_000) }, ok, from.azul(8258)],
  ['nothing above 6 MB', { body: Buffer.alloc(5_000_000) }, eventTooLarge, from.eventSize],
];
