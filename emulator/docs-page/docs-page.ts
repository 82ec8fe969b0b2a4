import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { GatewayRequest } from '../rest-api/request.ts';
import type { HttpResponse } from '../rest-api/response.ts';
import { isFromThisMachine } from './this-machine.ts';

export interface DocsPageOptions {
  /** The OpenAPI document that the page shows. */
  readonly openapi: string;
  /** What the page calls the API with. */
  readonly accessToken: Promise<string>;
}

/** Answers a request that no route of the API takes; undefined if it is none of the page's either. */
export type DocsPage = (
  request: Pick<GatewayRequest, 'method' | 'path' | 'sourceIp' | 'header'>,
) => Promise<HttpResponse | undefined>;

interface Content {
  readonly type: string;
  readonly read: () => Promise<Buffer | string>;
}

/** The browser itself then sees to it that nothing but this machine is asked for anything. */
const CONTENT_SECURITY_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'";

/**
 * `GET /docs`: the interface as a page, with an access token filled in. Everything that it loads comes from
 * installed files. It is shown to this machine alone, because whoever sees it has the token.
 */
export function createDocsPage(options: DocsPageOptions): DocsPage {
  const contents = contentsOf(options);
  return async (request) => {
    const content = contents.get(request.path);
    if (request.method !== 'GET' || content === undefined || !isFromThisMachine(request)) return undefined;
    return {
      status: 200,
      headers: [
        ['Content-Type', content.type],
        ['Content-Security-Policy', CONTENT_SECURITY_POLICY],
        ['Cache-Control', 'no-store'],
        ['X-Content-Type-Options', 'nosniff'],
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
