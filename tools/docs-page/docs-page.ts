import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { EmulatorOptions, Fallback, GatewayRequest } from '@plant-store/emulator';
import type { ShownToken } from '../start/introduction.ts';
import type { Log } from '../start/request-log.ts';
import { readTable, tableNames } from '../start/stored-items.ts';
import { createRequestHistory } from './request-history.ts';

interface Content {
  readonly type: string;
  readonly read: (query: URLSearchParams) => Promise<Buffer | string>;
}

/** The tables and the token that the page uses. If the service does not issue tokens, `token` is undefined. */
type Service = { readonly dynamodb: DynamoDBClient; readonly token: ShownToken | undefined };

/** Lets the page send requests only to this machine, and prevents websites from showing the page in a frame. */
const CONTENT_SECURITY_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const HTML = 'text/html; charset=utf-8';

/**
 * Creates the page at `/docs`, to which `/` redirects. The page shows a form for each operation, the last requests, and
 * the tables. It is served only to this machine, because it contains an access token.
 * @param log receives everything that the emulator logs
 * @param openapi the path of the OpenAPI document
 * @returns options for the emulator, and `connect`, which must be called once the emulator is running
 */
export function createDocsPage(log: Log, openapi: string) {
  const { promise: service, resolve: connect } = Promise.withResolvers<Service>();
  const history = createRequestHistory(log);
  const table = async (query: URLSearchParams) => {
    const [name, start] = [query.get('name') ?? '', query.get('start') || undefined];
    return readTable((await service).dynamodb, name, history.after(0), start);
  };
  const contents = new Map([
    ['/docs', file(HTML, 'page.html')],
    ['/docs/oat.css', file('text/css', createRequire(import.meta.url).resolve('@knadh/oat/oat.min.css'))],
    ['/docs/page.css', file('text/css', 'page.css')],
    ...['page.js', 'elements.js', 'operations.js', 'service.js'].map(
      (name) => [`/docs/${name}`, file('text/javascript', name)] as const,
    ),
    ['/docs/openapi.json', file('application/json', openapi)],
    ['/docs/token', json(async () => (await service).token ?? {})],
    ['/docs/requests', json(async (query) => history.after(Number(query.get('after'))))],
    ['/docs/tables', json(async () => tableNames((await service).dynamodb))],
    ['/docs/table', json(table)],
  ]);
  const fallback: Fallback = async (request) => {
    if (!['GET', 'HEAD'].includes(request.method) || !isFromThisMachine(request)) return undefined;
    if (request.path === '/') return { status: 302, headers: [['Location', '/docs']], body: Buffer.alloc(0) };
    const content = contents.get(request.path.replace(/\/$/, ''));
    // Other websites may link to the page, but must not load its files or data.
    const isFromThisPage = ['same-origin', 'none', undefined].includes(request.header('sec-fetch-site'));
    if (content === undefined || (content.type !== HTML && !isFromThisPage)) return undefined;
    return {
      status: 200,
      headers: [
        ['Content-Type', content.type],
        ['Content-Security-Policy', CONTENT_SECURITY_POLICY],
        ['Cache-Control', 'no-store'],
        ['X-Content-Type-Options', 'nosniff'],
        ['X-Frame-Options', 'DENY'],
        ['Cross-Origin-Resource-Policy', 'same-origin'],
      ],
      body: Buffer.from(await content.read(request.query)),
    };
  };
  const options: Partial<EmulatorOptions> = { log: history.line, observer: history, fallback };
  return { options, connect };
}

/** @param path absolute, or relative to the page's folder */
function file(type: string, path: string): Content {
  return { type, read: () => readFile(resolve(import.meta.dirname, 'page', path)) };
}

function json(read: (query: URLSearchParams) => Promise<unknown>): Content {
  return { type: 'application/json', read: async (query) => JSON.stringify(await read(query)) };
}

/**
 * Returns whether a request comes from this machine and has this machine's name in its Host header. A website can make
 * its own name resolve to the loopback address (DNS rebinding), but the Host header still contains that name.
 */
function isFromThisMachine({ sourceIp, header }: GatewayRequest): boolean {
  const isLoopback = /^(::1|127(\.\d{1,3}){3})$/.test(sourceIp);
  return isLoopback && /^(localhost|\[::1\]|127(\.\d{1,3}){3})(:\d+)?$/.test(header('host') ?? '');
}
