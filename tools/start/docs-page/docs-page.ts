import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { GatewayRequest, HttpResponse } from '@plant-store/emulator';
import { acceptedBodies, type RequestHistory } from './request-history.ts';
import { readTable, tableNames } from './tables.ts';

export interface DocsPageOptions {
  /** The OpenAPI document that the page shows. */
  readonly openapi: string;
  readonly history: RequestHistory;
  /** Known once the emulator runs. */
  readonly service: Promise<PageService>;
}

export interface PageService {
  readonly dynamodb: DynamoDBClient;
  /** The token with which the page calls the API, and whose it is; undefined if the service issues none. */
  readonly token: { readonly text: string; readonly client: string } | undefined;
}

type PageRequest = Pick<GatewayRequest, 'method' | 'path' | 'query' | 'sourceIp' | 'header'>;

/** Returns the page, one of its files, or the redirect to the page; undefined for any other request. */
export type DocsPage = (request: PageRequest) => Promise<HttpResponse | undefined>;

interface Content {
  readonly type: string;
  readonly read: (query: URLSearchParams) => Promise<Buffer | string>;
}

/** Makes the browser send requests to this machine only, and lets no website frame the page. */
const CONTENT_SECURITY_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const REDIRECT: HttpResponse = { status: 302, headers: [['Location', '/docs']], body: Buffer.alloc(0) };

/**
 * `/docs`, to which `/` redirects: the API with a form for each operation and an access token filled in, the last
 * requests, and the tables. It is served to this machine only, because whoever can read it has the token.
 */
export function createDocsPage(options: DocsPageOptions): DocsPage {
  const contents = contentsOf(options);
  return async (request) => {
    if (!['GET', 'HEAD'].includes(request.method) || !isFromThisMachine(request)) return undefined;
    if (request.path === '/') return REDIRECT;
    const content = contents.get(request.path);
    if (content === undefined || !isFromThisPage(request, content)) return undefined;
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
}

function contentsOf({ openapi, history, service }: DocsPageOptions): ReadonlyMap<string, Content> {
  const page = file(HTML, join(import.meta.dirname, 'page', 'page.html'));
  const scripts = ['page.js', 'elements.js', 'operations.js', 'requests.js', 'tables.js'];
  return new Map([
    ['/docs', page],
    ['/docs/', page],
    ['/docs/page.css', file('text/css', join(import.meta.dirname, 'page', 'page.css'))],
    ...scripts.map(
      (name) => [`/docs/${name}`, file('text/javascript', join(import.meta.dirname, 'page', name))] as const,
    ),
    ['/docs/openapi.json', file('application/json', openapi)],
    ['/docs/access-token', json(async () => JSON.stringify((await service).token ?? {}))],
    // Responds when there is a request after the given one.
    [
      '/docs/requests',
      json(async (query) => JSON.stringify(await history.after(Number(query.get('after'))))),
    ],
    ['/docs/tables', json(async () => JSON.stringify(await tableNames((await service).dynamodb)))],
    [
      '/docs/table',
      json(async (query) => {
        const [name, start] = [query.get('name') ?? '', query.get('start') ?? undefined];
        const bodies = acceptedBodies(await history.after(0));
        return JSON.stringify(await readTable((await service).dynamodb, name, start, bodies));
      }),
    ],
  ]);
}

const HTML = 'text/html; charset=utf-8';

function file(type: string, path: string): Content {
  return { type, read: () => readFile(path) };
}

function json(read: Content['read']): Content {
  return { type: 'application/json', read };
}

/**
 * Whether a request was sent from this machine to a name of this machine. A website can make its own name resolve to
 * the loopback address (DNS rebinding), but the Host header still has that name.
 */
function isFromThisMachine({ sourceIp, header }: PageRequest): boolean {
  const host = header('host')?.replace(/:\d+$/, '') ?? '';
  return isLoopback(sourceIp) && (host === 'localhost' || isLoopback(host.replace(/^\[(.*)\]$/, '$1')));
}

/** A link of a website may lead to the page; no website loads its files, and what it shows. */
function isFromThisPage({ header }: PageRequest, { type }: Content): boolean {
  return type === HTML || ['same-origin', 'none', undefined].includes(header('sec-fetch-site'));
}

function isLoopback(address: string): boolean {
  return address === '::1' || /^127(\.\d{1,3}){3}$/.test(address);
}
