import type { RespondedRequest } from '../../emulator/index.ts';

/** Whether a request was for the page itself, or for a part of it: a file, or what it shows; undefined for any other. */
export function visitOfPage({
  path,
  status,
}: Pick<RespondedRequest, 'path' | 'status'>): 'page' | 'part' | undefined {
  if (path === '/' && status === 302) return 'part';
  if (status >= 400 || !path.startsWith('/docs')) return undefined;
  if (path === '/docs' || path === '/docs/') return 'page';
  return path.startsWith('/docs/') ? 'part' : undefined;
}
