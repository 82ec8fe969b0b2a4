import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { assertLeanBundle } from './dead-weight.ts';
import { alias, define } from './stubs.ts';

const LOADER = join(import.meta.dirname, '../../../lambda/index.mjs');

export interface BuildOptions {
  /** Readable code with a source map, for a debugger and for stacks; what is deployed has neither. */
  readonly readable?: boolean | undefined;
}

/**
 * Bundles a function into `function.cjs`, beside the `index.mjs` that loads it.
 *
 * @throws Error if a module in it only slows the cold start
 */
export function build(entry: string, outputFolder: string, { readable = false }: BuildOptions = {}): void {
  const { metafile } = buildSync({
    entryPoints: [entry],
    outfile: join(outputFolder, 'function.cjs'),
    bundle: true,
    platform: 'node',
    target: 'node24',
    // CommonJS starts faster than ESM, but packages are read as ESM, which can be tree-shaken (decision 0031).
    format: 'cjs',
    mainFields: ['module', 'main'],
    alias,
    define,
    minify: !readable,
    sourcemap: readable ? 'linked' : false,
    legalComments: 'external',
    metafile: true,
    logLevel: 'error',
  });
  assertLeanBundle(metafile);
  copyFileSync(LOADER, join(outputFolder, 'index.mjs'));
}
