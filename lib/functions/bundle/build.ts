import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { assertLeanBundle } from './dead-weight.ts';
import { define, stubs } from './stubs.ts';

const LOADER = join(import.meta.dirname, '../../../lambda/index.mjs');

export interface BuildOptions {
  /** Whether stubs replace what a client of DynamoDB does not need; the default is true. */
  readonly lean?: boolean;
}

/**
 * Bundles a function into `function.cjs`, beside the `index.mjs` that loads it.
 *
 * @throws Error if a module in a lean bundle only slows the cold start
 */
export function build(entry: string, outputFolder: string, { lean = true }: BuildOptions = {}): void {
  const { metafile } = buildSync({
    entryPoints: [entry],
    outfile: join(outputFolder, 'function.cjs'),
    bundle: true,
    platform: 'node',
    target: 'node24',
    // CommonJS starts faster than ESM, but packages are read as ESM, which can be tree-shaken (decision 0031).
    format: 'cjs',
    mainFields: ['module', 'main'],
    ...(lean ? { alias: stubs, define } : {}),
    minify: true,
    legalComments: 'external',
    metafile: true,
    logLevel: 'error',
  });
  if (lean) assertLeanBundle(metafile);
  copyFileSync(LOADER, join(outputFolder, 'index.mjs'));
}
