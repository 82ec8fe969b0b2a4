import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { buildSync, context, type BuildOptions as EsbuildOptions } from 'esbuild';
import type { FunctionName } from '../../names.ts';
import { assertLeanBundle } from './dead-weight.ts';
import { define, stubs } from './stubs.ts';

const LAMBDA_FOLDER = join(import.meta.dirname, '../../../lambda');
const LOADER = join(LAMBDA_FOLDER, 'index.mjs');
const CODE = 'function.cjs';

export interface BuildOptions {
  /** Whether stubs replace what a client of DynamoDB does not need; the default is true. */
  readonly lean?: boolean;
  /** Whether `function.cjs.map` is written beside the bundle, which stays the same to the byte. */
  readonly sourceMap?: boolean;
}

/** The folder of a function, whose `index.ts` exports `handler` and, if it connects to DynamoDB, `warmUp`. */
export function functionFolder(name: FunctionName): string {
  return join(LAMBDA_FOLDER, name);
}

/** Builds a function as it is deployed. */
export function buildFunction(
  name: FunctionName,
  outputFolder: string,
  options: Pick<BuildOptions, 'sourceMap'> = {},
): void {
  build(entryOf(name), outputFolder, { lean: isLean(name), ...options });
}

/**
 * Bundles a function into `function.cjs`, beside the `index.mjs` that loads it.
 *
 * @throws Error if a module in a lean bundle only slows the cold start
 */
export function build(
  entry: string,
  outputFolder: string,
  { lean = true, sourceMap = false }: BuildOptions = {},
): void {
  const { metafile } = buildSync({
    ...esbuildOptions(entry, lean),
    outfile: join(outputFolder, CODE),
    minify: true,
    ...(sourceMap ? { sourcemap: 'external', sourcesContent: false } : {}),
    logLevel: 'error',
  });
  if (lean) assertLeanBundle(metafile);
  copyFileSync(LOADER, join(outputFolder, 'index.mjs'));
}

/** Code that a debugger can show, with a source map. */
export interface ReadableBundle {
  readonly hash: string;
  /** The absolute paths of the files that it is built from. */
  readonly sources: readonly string[];
  /** @param folder an existing folder, beside those of other builds */
  write(folder: string): void;
}

/**
 * Builds a function again and again: after the first time, only what has changed.
 *
 * @param parent the parent of the output folders, since source maps are relative to these
 * @returns a function that builds; it rejects with esbuild's BuildFailure, or with an Error if a module only slows the cold start
 */
export async function incrementalBuild(
  name: FunctionName,
  parent: string,
): Promise<() => Promise<ReadableBundle>> {
  const lean = isLean(name);
  const esbuild = await context({
    ...esbuildOptions(entryOf(name), lean),
    outfile: join(parent, name, CODE),
    sourcemap: 'linked',
    write: false,
    logLevel: 'silent',
  });
  return async () => {
    const { metafile, outputFiles } = await esbuild.rebuild();
    if (lean) assertLeanBundle(metafile);
    const loader = readFileSync(LOADER, 'utf8');
    return {
      hash: [...outputFiles.map(({ hash }) => hash), loader].join(),
      sources: [LOADER, ...Object.keys(metafile.inputs).map((path) => resolve(path))],
      write(folder) {
        for (const { path, contents } of outputFiles) writeFileSync(join(folder, basename(path)), contents);
        writeFileSync(join(folder, 'index.mjs'), loader);
      },
    };
  };
}

function entryOf(name: FunctionName): string {
  return join(functionFolder(name), 'index.ts');
}

/** The hook starts once in a deployment, and needs more of the SDK than a client of DynamoDB. */
function isLean(name: FunctionName): boolean {
  return name !== 'pre-traffic';
}

function esbuildOptions(entry: string, lean: boolean) {
  return {
    entryPoints: [entry],
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
