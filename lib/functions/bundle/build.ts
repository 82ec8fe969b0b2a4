import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { refuseDeadWeight } from './dead-weight.ts';
import { absentGlobals, standIns } from './stubs.ts';

const LOADER = join(import.meta.dirname, '../../../lambda/index.mjs');

/**
 * Bundles a function into `function.cjs`, beside the `index.mjs` that loads it.
 *
 * @throws where something is in it that has no business in a cold start
 */
export function build(entry: string, outputFolder: string): void {
  const { metafile } = buildSync({
    entryPoints: [entry],
    outfile: join(outputFolder, 'function.cjs'),
    bundle: true,
    platform: 'node',
    target: 'node24',
    // CommonJS starts faster than ESM, but packages are taken as ESM, which can be tree-shaken (decision 0031).
    format: 'cjs',
    mainFields: ['module', 'main'],
    alias: standIns,
    define: absentGlobals,
    minify: true,
    legalComments: 'external',
    metafile: true,
    logLevel: 'error',
  });
  refuseDeadWeight(metafile);
  copyFileSync(LOADER, join(outputFolder, 'index.mjs'));
}
