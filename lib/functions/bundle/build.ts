import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import type { FunctionName } from '../../names.ts';
import { assertLeanBundle } from './dead-weight.ts';
import { define, stubs } from './stubs.ts';

const LAMBDA_FOLDER = join(import.meta.dirname, '../../../lambda');
const LOADER = join(LAMBDA_FOLDER, 'index.mjs');

export interface BuildOptions {
  /** Whether stubs replace what a client of DynamoDB does not need; the default is true. */
  readonly lean?: boolean;
  /** Whether `function.cjs.map` is written beside the bundle, which stays the same to the byte. */
  readonly sourceMap?: boolean;
  /** Readable code that names its source map, for a debugger and for stacks; what is deployed has neither. */
  readonly readable?: boolean;
}

/** The folder of a function, whose `index.ts` exports `handler` and, if it connects to DynamoDB, `warmUp`. */
export function functionFolder(name: FunctionName): string {
  return join(LAMBDA_FOLDER, name);
}

/** Builds a function as it is deployed, unless it is to be readable. */
export function buildFunction(
  name: FunctionName,
  outputFolder: string,
  options: Omit<BuildOptions, 'lean'> = {},
): void {
  // The hook starts once in a deployment, and needs more of the SDK than a client of DynamoDB.
  const lean = name !== 'pre-traffic';
  build(join(functionFolder(name), 'index.ts'), outputFolder, { lean, ...options });
}

/**
 * Bundles a function into `function.cjs`, beside the `index.mjs` that loads it.
 *
 * @throws Error if a module in a lean bundle only slows the cold start
 */
export function build(
  entry: string,
  outputFolder: string,
  { lean = true, sourceMap = false, readable = false }: BuildOptions = {},
): void {
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
    minify: !readable,
    legalComments: 'external',
    ...(sourceMap ? { sourcemap: 'external', sourcesContent: false } : {}),
    ...(readable ? { sourcemap: 'linked' } : {}),
    metafile: true,
    logLevel: 'error',
  });
  if (lean) assertLeanBundle(metafile);
  copyFileSync(LOADER, join(outputFolder, 'index.mjs'));
}
