import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSync, type BuildOptions as EsbuildOptions, type Metafile } from 'esbuild';
import type { FunctionName } from '../../names.ts';
import { define, stubs } from './stubs.ts';

const LAMBDA_FOLDER = join(import.meta.dirname, '../../../lambda');
/** The module that loads the bundle of a function. */
export const LOADER = join(LAMBDA_FOLDER, 'index.mjs');

interface BuildOptions {
  /** Whether stubs replace the packages that a DynamoDB client does not need; the default is true. */
  readonly lean?: boolean;
  /** Whether to write `function.cjs.map` next to the bundle. The bundle itself is the same either way. */
  readonly sourceMap?: boolean;
}

/** Returns a function's folder. Its `index.ts` exports `handler` and, if the function uses DynamoDB, `warmUp`. */
export function functionFolder(name: FunctionName): string {
  return join(LAMBDA_FOLDER, name);
}

/** Builds a function exactly as it is deployed. Returns esbuild's metafile. */
export function buildFunction(
  name: FunctionName,
  outputFolder: string,
  options: Pick<BuildOptions, 'sourceMap'> = {},
): Metafile {
  // The pre-traffic hook is not lean, because it starts only once per deployment and uses more of the SDK.
  return build(entryOf(name), outputFolder, { lean: name !== 'pre-traffic', ...options });
}

/** Bundles a function into `function.cjs`, next to the `index.mjs` that loads it. */
export function build(
  entry: string,
  outputFolder: string,
  { lean = true, sourceMap = false }: BuildOptions = {},
): Metafile {
  const { metafile } = buildSync({
    ...bundleOptions(lean),
    entryPoints: [entry],
    outfile: join(outputFolder, 'function.cjs'),
    minify: true,
    ...(sourceMap ? { sourcemap: 'external', sourcesContent: false } : {}),
    logLevel: 'error',
  });
  copyFileSync(LOADER, join(outputFolder, 'index.mjs'));
  return metafile;
}

/** Returns the path of the module that exports a function's handler. */
export function entryOf(name: FunctionName): string {
  return join(functionFolder(name), 'index.ts');
}

/** Returns esbuild's options for a function, without the entry point. */
export function bundleOptions(lean: boolean) {
  return {
    bundle: true,
    platform: 'node',
    target: 'node24',
    // CommonJS starts faster than ESM, but packages are read as ESM, which can be tree-shaken (decision 0030).
    format: 'cjs',
    mainFields: ['module', 'main'],
    ...(lean ? { alias: stubs, define } : {}),
    legalComments: 'external',
    metafile: true,
  } satisfies EsbuildOptions;
}
