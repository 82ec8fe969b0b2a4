import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { type Fallback, isLoopback } from 'stack-emulator';

const { resolve } = createRequire(import.meta.url);
const PROJECT = join(import.meta.dirname, '../..');
const HTML = 'text/html; charset=utf-8';

/** The media type and the file of each path; the token has no file. */
const CONTENTS = new Map([
  ['/docs', [HTML, join(import.meta.dirname, 'page.html')]],
  ['/docs/page.js', ['text/javascript', join(import.meta.dirname, 'page.js')]],
  ['/docs/swagger-ui.css', ['text/css', resolve('swagger-ui-dist/swagger-ui.css')]],
  ['/docs/swagger-ui.js', ['text/javascript', resolve('swagger-ui-dist/swagger-ui-bundle.js')]],
  ['/docs/token', ['text/plain']],
  ['/docs/api.md', ['text/plain; charset=utf-8', join(PROJECT, 'docs/api.md')]],
  ['/openapi.json', ['application/json', join(PROJECT, 'openapi.json')]],
]);

/** Lets the page send requests only to this machine, and prevents websites from showing the page in a frame. */
const CONTENT_SECURITY_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/**
 * Serves the page at `/docs`, to which `/` redirects: Swagger UI, with an access token filled in. Because of the token,
 * the page is served only to this machine.
 * @param token resolves once the service is running; empty if the service does not issue tokens
 */
export function docsPage(token: Promise<string>): Fallback {
  return async ({ method, path: requested, header, sourceIp }) => {
    if (!['GET', 'HEAD'].includes(method)) return undefined;
    // A website can make its name resolve to this machine (DNS rebinding), but the Host header still contains that name.
    if (!isLoopback(sourceIp) || !isLoopback(header('host') ?? '')) return undefined;
    if (requested === '/')
      return { status: 302, headers: [['Location', '/docs']], body: Buffer.alloc(0) };
    const [type, file] = CONTENTS.get(requested.replace(/\/$/, '')) ?? [];
    // Other websites may link to the page, but must not load its files or the token.
    const isFromThisPage = ['same-origin', 'none', undefined].includes(header('sec-fetch-site'));
    if (type === undefined || (type !== HTML && !isFromThisPage)) return undefined;
    return {
      status: 200,
      headers: [
        ['Content-Type', type],
        ['Content-Security-Policy', CONTENT_SECURITY_POLICY],
        ['Cache-Control', 'no-store'],
        ['X-Content-Type-Options', 'nosniff'],
      ],
      body: file === undefined ? Buffer.from(await token) : await readFile(file),
    };
  };
}
