import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BuildOptions, buildSync, type Metafile } from 'esbuild';
import { type FunctionName, LAMBDA_FOLDER } from '../function-names.ts';
import { alias, define } from './stubbed-packages.ts';

/** The context key for the folder with the builds of `npm start`. Here, because `npm start` does not load the CDK. */
export const BUILDS_KEY = 'plant-store:builds';

/** The module that loads the bundle of a function. */
export const LOADER = join(LAMBDA_FOLDER, 'bundle/loader.mjs');

/**
 * Builds the bundle of a function exactly as it is deployed: `function.cjs`, next to the `index.mjs` that loads it.
 * Returns esbuild's metafile.
 *
 * @param options `{ sourcemap: 'external' }` also writes `function.cjs.map`, and leaves the bundle as it is
 */
export function buildFunction(
  functionName: FunctionName,
  outputFolder: string,
  options: Pick<BuildOptions, 'sourcemap'> = {},
): Metafile {
  const { metafile } = buildSync({
    // The pre-traffic hook starts only once per deployment, and uses more of the SDK than the stubs have.
    ...(functionName === 'pre-traffic' ? baseOptions : bundleOptions),
    entryPoints: [entryOf(functionName)],
    outfile: join(outputFolder, 'function.cjs'),
    minify: true,
    logLevel: 'error',
    ...options,
  });
  copyFileSync(LOADER, join(outputFolder, 'index.mjs'));
  return metafile;
}

/** Returns the path of a function's module. It exports `handler` and, if the function uses DynamoDB, `warmUp`. */
export function entryOf(functionName: string): string {
  return join(LAMBDA_FOLDER, functionName, 'index.ts');
}

const baseOptions = {
  bundle: true,
  platform: 'node',
  target: 'node24',
  // CommonJS starts faster than ESM, but packages are read as ESM, which can be tree-shaken.
  format: 'cjs',
  mainFields: ['module', 'main'],
  legalComments: 'external',
  metafile: true,
} satisfies BuildOptions;

/** esbuild's options for a function, without the entry point. */
export const bundleOptions = { ...baseOptions, alias, define } satisfies BuildOptions;
