import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { GatewayRequest, HttpResponse } from '@plant-store/emulator';

export interface DocsPageOptions {
  /** The OpenAPI document that the page shows. */
  readonly openapi: string;
  /** The token with which the page calls the API. */
  readonly accessToken: Promise<string>;
}

/** Returns the page, one of its files, or the redirect to the page; undefined for any other request. */
export type DocsPage = (
  request: Pick<GatewayRequest, 'method' | 'path' | 'sourceIp' | 'header'>,
) => Promise<HttpResponse | undefined>;

interface Content {
  readonly type: string;
  readonly read: () => Promise<Buffer | string>;
}

/** Makes the browser send requests to this machine only, and lets no website frame the page. */
const CONTENT_SECURITY_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const REDIRECT: HttpResponse = { status: 302, headers: [['Location', '/docs']], body: Buffer.alloc(0) };

/**
 * `/docs`, to which `/` redirects: Swagger UI with an access token filled in. It loads installed files only,
 * and is served to this machine only, because whoever can read the page has the token.
 */
export function createDocsPage(options: DocsPageOptions): DocsPage {
  const contents = contentsOf(options);
  return async (request) => {
    if (!['GET', 'HEAD'].includes(request.method) || !isFromThisMachine(request)) return undefined;
    if (request.path === '/') return REDIRECT;
    const content = contents.get(request.path);
    if (content === undefined) return undefined;
    return {
      status: 200,
      headers: [
        ['Content-Type', content.type],
        ['Content-Security-Policy', CONTENT_SECURITY_POLICY],
        ['Cache-Control', 'no-store'],
        ['X-Content-Type-Options', 'nosniff'],
        ['X-Frame-Options', 'DENY'],
      ],
      body: Buffer.from(await content.read()),
    };
  };
}

function contentsOf({ openapi, accessToken }: DocsPageOptions): ReadonlyMap<string, Content> {
  const page = file('text/html; charset=utf-8', join(import.meta.dirname, 'page.html'));
  return new Map([
    ['/docs', page],
    ['/docs/', page],
    ['/docs/page.css', file('text/css', join(import.meta.dirname, 'page.css'))],
    ['/docs/page.js', file('text/javascript', join(import.meta.dirname, 'page.js'))],
    ['/docs/swagger-ui.css', file('text/css', swaggerUi('swagger-ui.css'))],
    ['/docs/swagger-ui-bundle.js', file('text/javascript', swaggerUi('swagger-ui-bundle.js'))],
    ['/docs/favicon.png', file('image/png', swaggerUi('favicon-32x32.png'))],
    ['/docs/openapi.json', file('application/json', openapi)],
    [
      '/docs/access-token',
      { type: 'application/json', read: async () => JSON.stringify({ accessToken: await accessToken }) },
    ],
  ]);
}

function file(type: string, path: string): Content {
  return { type, read: () => readFile(path) };
}

function swaggerUi(name: string): string {
  return createRequire(import.meta.filename).resolve(`swagger-ui-dist/${name}`);
}

/**
 * Whether a request was sent from this machine to a name of this machine. A website can make its own name resolve to
 * the loopback address (DNS rebinding), but the Host header still has that name.
 */
function isFromThisMachine({ sourceIp, header }: Pick<GatewayRequest, 'sourceIp' | 'header'>): boolean {
  const host = header('host')?.replace(/:\d+$/, '') ?? '';
  return isLoopback(sourceIp) && (host === 'localhost' || isLoopback(host.replace(/^\[(.*)\]$/, '$1')));
}

function isLoopback(address: string): boolean {
  return address === '::1' || /^127(\.\d{1,3}){3}$/.test(address);
}
