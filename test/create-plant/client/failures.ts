import { tableRows } from '../../support/pages/code-blocks.ts';
import type { ScriptedResponse } from '../../support/servers/scripted-server.ts';

/** A response that does not tell a client that the plant was created. */
export interface Failure extends ScriptedResponse {
  readonly title: string;
  readonly body: string;
  /** Whether docs/errors.md tells clients to retry the request. */
  readonly retried: boolean;
}

const json = { 'Content-Type': 'application/json' };
const html = { 'Content-Type': 'text/html' };
const plain = { 'Content-Type': 'text/plain' };

/** One failure for each row of the error table in docs/errors.md, with the lowest status in that row. */
export const documentedErrors: readonly Failure[] = tableRows('docs/errors.md')
  .filter(({ error }) => error !== undefined)
  .map(({ error, status = '', 'what to do': action = '' }) => ({
    title: `error ${error}`,
    status: Number.parseInt(status, 10),
    headers: { ...json, 'Retry-After': '0' },
    body: `{"error":${error},"message":"what happened"}`,
    retried: action.startsWith('retry'),
  }));

/** One failure for each row of the table of AWS's front end, with HTML where the row does not quote the body. */
export const frontEndResponses: readonly Failure[] = tableRows('docs/errors.md')
  .filter(({ error, body }) => error === undefined && body !== undefined)
  .map(({ status = '', body = '', 'what to do': action = '' }) => ({
    title: `a ${status} from AWS's front end with ${body}`,
    status: Number(status.replaceAll('x', '0')),
    headers: html,
    body: /^`([^`]+)`/.exec(body)?.[1] ?? '<html><body><h1>400 Bad Request</h1></body></html>',
    retried: action.startsWith('retry'),
  }));

/** 503 responses whose Retry-After is longer than the client is willing to wait. */
export const longRetryAfters: readonly Failure[] = [
  failure('a 503 with a Retry-After of 31 s', 503, { ...plain, 'Retry-After': '31' }, 'restarting'),
  failure(
    'a 503 with a Retry-After of 5,000 digits',
    503,
    { ...plain, 'Retry-After': '9'.repeat(5_000) },
    'restarting',
  ),
];

/** Responses from proxies and captive portals in place of the service. */
export const middleboxResponses: readonly Failure[] = [
  failure(
    'a 403 from a proxy, with a name in the body',
    403,
    json,
    '{"name":"AccessDenied","policy":7}',
  ),
  failure(
    'a 400 whose error is not a number',
    400,
    json,
    '{"error":"invalid_request","message":"blocked"}',
  ),
  retried(
    'a 503 with a date in Retry-After',
    503,
    { ...plain, 'Retry-After': 'Fri, 31 Dec 1999 23:59:59 GMT' },
    'down for maintenance',
  ),
  failure(
    'a 200 with a login page',
    200,
    html,
    '<!doctype html>\n<title>Sign in</title>\n<script>x = {"name":"a"}</script>',
  ),
  failure(
    'a 400 whose error is larger than an int32',
    400,
    json,
    '{"error":1e300,"message":"blocked"}',
  ),
  failure('a 200 whose name is not a string', 200, json, '{"name":5}'),
  failure('a 200 whose tag is not a string', 200, json, '{"name":"Ficus","tag":5}'),
  failure('a 200 with JSON nested too deeply for a parser', 200, json, '['.repeat(200_000)),
  failure('a 200 with null as its body', 200, json, 'null'),
  failure('a 200 without a body', 200, {}, ''),
  failure('a 202 from a proxy that queues requests', 202, json, '{"name":"Ficus"}'),
  failure(
    'a redirect to a login page',
    302,
    { ...html, Location: '/login' },
    '<a href="/login">Sign in</a>',
  ),
];

function failure(
  title: string,
  status: number,
  headers: Record<string, string>,
  body: string,
): Failure {
  return { title, status, headers, body, retried: false };
}

function retried(...args: Parameters<typeof failure>): Failure {
  return { ...failure(...args), retried: true };
}
