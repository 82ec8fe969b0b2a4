import { mkdirSync, mkdtempSync } from 'node:fs';
import { join, sep } from 'node:path';
import { formatMessages } from 'esbuild';
import { EmulatorError } from '../emulator/index.ts';
import { incrementalBuild, type ReadableBundle } from '../lib/functions/bundle/build.ts';
import { FUNCTION_NAMES, type FunctionName } from '../lib/names.ts';

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
  /** Lets the next build read these absolute paths, of files or folders, again. */
  invalidate(paths: readonly string[]): void;
  /**
   * Builds every function; after the first time, only those that an invalidated file is part of.
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
      const built = await Promise.all(
        builds.map(async ({ name, build }) => ({ name, ...(await build()) })),
      ).catch(async (error: unknown) => {
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

/** Builds again only if a source has been invalidated since the last build that succeeded began. */
function cached(rebuild: () => Promise<ReadableBundle>) {
  let latest: ReadableBundle | undefined;
  let valid = false;
  return {
    invalidate(paths: readonly string[]) {
      const isPart = (source: string) =>
        paths.some((path) => source === path || source.startsWith(path + sep));
      if (latest?.sources.some(isPart)) valid = false;
    },
    async build(): Promise<ReadableBundle> {
      if (latest !== undefined && valid) return latest;
      valid = true;
      try {
        latest = await rebuild();
        return latest;
      } catch (error) {
        valid = false;
        throw error;
      }
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
    color: process.stderr.hasColors?.() ?? false,
  });
  return frames.join('').trimEnd();
}
