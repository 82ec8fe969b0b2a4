import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { UserError } from '@plant-store/emulator';
import { type BuildFailure, context, formatMessages, type OutputFile, stop } from 'esbuild';
import { bundleOptions, entryOf, LOADER } from '../../lib/functions/bundle/build.ts';
import { FUNCTION_NAMES, type FunctionName } from '../../lib/names.ts';
import { colored } from './colors.ts';

const PROJECT = join(import.meta.dirname, '../..');
const APP = join(PROJECT, 'bin/plant-store.ts');

/** Excludes the pre-traffic hook, which only a deployment invokes. */
const NAMES = FUNCTION_NAMES.filter((name) => name !== 'pre-traffic');

/** One build of a function. */
export interface Bundle {
  readonly name: FunctionName;
  /** The folder that the template refers to. It stays empty, because each build writes its code to a new folder. */
  readonly asset: string;
  /** The folder that contains the code. */
  readonly folder: string;
  readonly hash: string;
}

export interface Build {
  readonly bundles: readonly Bundle[];
  /** The hash of the code that synthesizes the stack, including everything that it imports except packages. */
  readonly stack: string;
}

/** Builds the functions after each save, with source maps for the debugger. */
export class Bundler {
  readonly #parent: string;
  readonly #contexts: ReturnType<typeof createContexts>;
  #count = 0;

  /** @param parent the folder for the assets and all builds */
  constructor(parent: string) {
    this.#parent = parent;
    this.#contexts = createContexts(parent);
    // The first build reports this error.
    this.#contexts.catch(() => {});
  }

  /**
   * Runs one build; the previous build must have ended.
   * @param last the bundles of the previous build; a bundle whose code has not changed is returned again
   * @throws UserError if a function is missing or, with esbuild's code frames, if it cannot be built
   */
  async build(last: readonly Bundle[] = []): Promise<Build> {
    const removed = NAMES.map(entryOf).find((entry) => !existsSync(entry));
    if (removed !== undefined) {
      throw new UserError(
        `${relative(PROJECT, removed)} is missing: restore it or, if you removed the function, stop npm start and run it again`,
      );
    }
    try {
      for (const name of FUNCTION_NAMES) mkdirSync(join(this.#parent, name), { recursive: true });
      const [functions, stack] = await this.#contexts;
      // Ignores errors in the stack's code, because the synthesis reports them.
      const stackHash = stack.rebuild().then(({ outputFiles }) => String(outputFiles[0]?.hash), String);
      const { outputFiles } = await functions.rebuild();
      return { bundles: this.#write(outputFiles, last), stack: await stackHash };
    } catch (error) {
      if (error instanceof Error && error.message.startsWith('The service ')) {
        throw new UserError(`esbuild ended unexpectedly (${error.message}): run npm start again`);
      }
      if (!isBuildFailure(error)) throw error;
      const color = colored('red', 'text') !== 'text';
      const frames = await formatMessages([...error.errors], { kind: 'error', color });
      throw new UserError(frames.join('').trimEnd());
    }
  }

  /** Ends esbuild's process. A build that is in progress fails. */
  async stop(): Promise<void> {
    // While a context exists, esbuild's process prints "all goroutines are asleep" if its input ends before it receives
    // the signal to exit (evanw/esbuild#3636).
    for (const each of await this.#contexts.catch(() => [])) await each.dispose();
    await stop();
  }

  #write(files: readonly OutputFile[], last: readonly Bundle[]): readonly Bundle[] {
    const loader = readFileSync(LOADER, 'utf8');
    this.#count += 1;
    return NAMES.map((name) => {
      const asset = join(this.#parent, name);
      const own = files.filter(({ path }) => dirname(path) === asset);
      const hash = [...own.map((file) => file.hash), loader].join();
      const before = last.find((bundle) => bundle.name === name);
      if (before?.hash === hash) return before;
      const folder = `${asset}.${this.#count}`;
      mkdirSync(folder, { recursive: true });
      for (const { path, contents } of own) writeFileSync(join(folder, basename(path)), contents);
      writeFileSync(join(folder, 'index.mjs'), loader);
      return { name, asset, folder, hash };
    });
  }
}

function createContexts(parent: string) {
  const shared = { write: false, logLevel: 'silent' } as const;
  const functions = context({
    ...bundleOptions(true),
    ...shared,
    entryPoints: NAMES.map((name) => ({ in: entryOf(name), out: `${name}/function` })),
    outExtension: { '.js': '.cjs' },
    // The paths in source maps are relative to `asset`. They stay valid in a build's folder, which has the same parent.
    outdir: parent,
    sourcemap: 'linked',
  });
  const stack = context({
    ...shared,
    entryPoints: [APP],
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
  });
  return Promise.all([functions, stack]);
}

/** Whether esbuild found an error in the code. */
function isBuildFailure(error: unknown): error is BuildFailure {
  return error instanceof Error && 'errors' in error && Array.isArray(error.errors);
}
