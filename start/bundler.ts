import { mkdirSync, mkdtempSync } from 'node:fs';
import { join, sep } from 'node:path';
import { formatMessages } from 'esbuild';
import { EmulatorError } from '../emulator/index.ts';
import { incrementalBuild, type ReadableBundle } from '../lib/functions/bundle/build.ts';
import { FUNCTION_NAMES, type FunctionName } from '../lib/names.ts';
import { hasColors } from './colors.ts';

/** Ends esbuild's process, which otherwise complains that this one has ended. */
export { stop as stopBundler } from 'esbuild';

/** One build of a function. */
export interface Bundle {
  readonly name: FunctionName;
  /** The folder that the template names. It is empty, so that a build never changes code that runs. */
  readonly asset: string;
  /** The folder of the code. */
  readonly folder: string;
  readonly hash: string;
}

export interface Bundler {
  /** Marks absolute paths as changed; a folder stands for all that is in it. */
  invalidate(paths: readonly string[]): void;
  /**
   * Builds every function; after the first time, only those that contain an invalidated file.
   * @param last the bundles of the build before: those that have not changed are in the result
   * @throws EmulatorError with esbuild's code frames if one cannot be built; the next build builds it again
   */
  build(last?: readonly Bundle[]): Promise<readonly Bundle[]>;
}

/** @param parent the folder of the assets and of every build */
export async function createBundler(parent: string): Promise<Bundler> {
  for (const name of FUNCTION_NAMES) mkdirSync(join(parent, name), { recursive: true });
  // Nothing invokes the hook here: it is part of a deployment.
  const names = FUNCTION_NAMES.filter((name) => name !== 'pre-traffic');
  const builds = await Promise.all(
    names.map(async (name) => ({ name, ...cached(await incrementalBuild(name, parent)) })),
  );
  return {
    invalidate(paths) {
      for (const { invalidate } of builds) invalidate(paths);
    },
    async build(last = []) {
      const building = builds.map(async ({ name, build }) => ({ name, ...(await build()) }));
      // esbuild would join the next build to one that is still in progress.
      await Promise.allSettled(building);
      const built = await Promise.all(building).catch(async (error: unknown) => {
        throw new EmulatorError(await messageOf(error));
      });
      return built.map(({ name, hash, write }) => {
        const before = last.find((bundle) => bundle.name === name);
        if (before?.hash === hash) return before;
        const folder = mkdtempSync(join(parent, `${name}.`));
        write(folder);
        return { name, asset: join(parent, name), folder, hash };
      });
    },
  };
}

/** Builds again only after a save of a source. A save during a build counts, since its sources are not known yet. */
function cached(rebuild: () => Promise<ReadableBundle>) {
  let valid: ReadableBundle | undefined;
  let invalidations = 0;
  return {
    invalidate(paths: readonly string[]) {
      invalidations += 1;
      const isPart = (source: string) =>
        paths.some((path) => source === path || source.startsWith(path + sep));
      if (valid?.sources.some(isPart)) valid = undefined;
    },
    async build(): Promise<ReadableBundle> {
      if (valid !== undefined) return valid;
      const before = invalidations;
      const bundle = await rebuild();
      if (invalidations === before) valid = bundle;
      return bundle;
    },
  };
}

/** What the emulator runs in place of the assets. */
export function assetsOf(bundles: readonly Bundle[]): ReadonlyMap<string, string> {
  return new Map(bundles.map(({ asset, folder }) => [asset, folder]));
}

async function messageOf(error: unknown): Promise<string> {
  if (!(error instanceof Error)) return String(error);
  if (!('errors' in error) || !Array.isArray(error.errors)) return error.message;
  const frames = await formatMessages(error.errors, {
    kind: 'error',
    color: hasColors(),
  });
  return frames.join('').trimEnd();
}
