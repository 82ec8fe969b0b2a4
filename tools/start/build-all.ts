import { copyFileSync, globSync, mkdirSync, mkdtempSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type BuildFailure, build, formatMessages } from 'esbuild';
import { bundleOptions, entryOf, LOADER } from '../../lib/functions/bundle/build.ts';
import { LAMBDA_FOLDER } from '../../lib/functions/function-names.ts';
import { UserError } from '../command-line/failures.ts';

const APP = join(import.meta.dirname, '../../bin/plant-store.ts');

export interface Build {
  /** The folder with each function's code, by the folder that the template refers to. */
  readonly assets: ReadonlyMap<string, string>;
  /** The functions' names, and a hash of the code that synthesizes the stack and all that it imports except packages. */
  readonly stackKey: string;
}

/**
 * Builds every function in `lambda/` into a new folder, with source maps for the debugger.
 * @param builds the folder for all builds, and for the functions' folders that the template refers to. Those stay empty,
 *   so that the same template serves every build.
 * @throws UserError with esbuild's code frames if the code cannot be built
 */
export async function buildAll(builds: string): Promise<Build> {
  const folder = mkdtempSync(join(builds, 'build-'));
  const found = globSync('*/index.ts', { cwd: LAMBDA_FOLDER }).map(dirname);
  for (const name of found) mkdirSync(join(builds, name), { recursive: true });
  // Only a deployment invokes the pre-traffic hook.
  const names = found.filter((name) => name !== 'pre-traffic');
  const { outputFiles } = await bundleStack().catch(explain);
  await bundleFunctions(names, folder).catch(explain);
  for (const name of names) copyFileSync(LOADER, join(folder, name, 'index.mjs'));
  const assets = new Map(names.map((name) => [join(builds, name), join(folder, name)]));
  return { assets, stackKey: [...names, ...outputFiles.map(({ hash }) => hash)].join() };
}

function bundleFunctions(names: readonly string[], outdir: string) {
  return build({
    ...bundleOptions,
    entryPoints: names.map((name) => ({
      in: entryOf(name),
      out: `${name}/function`,
    })),
    outdir,
    outExtension: { '.js': '.cjs' },
    sourcemap: 'linked',
    sourcesContent: false,
    logLevel: 'silent',
  });
}

function bundleStack() {
  return build({
    entryPoints: [APP],
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    write: false,
    logLevel: 'silent',
  });
}

async function explain(error: Partial<BuildFailure>): Promise<never> {
  if (error.errors === undefined) throw error;
  const frames = await formatMessages(error.errors, { kind: 'error' });
  throw new UserError(frames.join('').trimEnd());
}
