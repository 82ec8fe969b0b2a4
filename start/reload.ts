import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Emulator, EmulatorError } from '../emulator/index.ts';
import { assetsOf, type Bundle, type Bundler } from './bundler.ts';
import { colored } from './colors.ts';
import type { Synthesizer } from './synthesizer.ts';
import { TypeChecker } from './type-check.ts';
import { watchSaves } from './watch.ts';

/** Longer than a request may take: until then, one may still start a worker from the old folder. */
const REMOVE_AFTER_MS = 60_000;

interface Version {
  readonly assembly: string;
  readonly bundles: readonly Bundle[];
}

/** Includes the version that the emulator runs at the start. */
export interface ReloadOptions extends Version {
  readonly project: string;
  readonly emulator: Pick<Emulator, 'holdRequests' | 'reload'>;
  readonly bundler: Bundler;
  readonly synthesizer: Pick<Synthesizer, 'interrupt' | 'synthesize'>;
  readonly print: (message: string) => void;
  /** Ends what is in progress, without a message. */
  readonly stopping: AbortSignal;
}

/**
 * Runs what is saved in `lambda/` and `lib/`, and regenerates what comes from `openapi.json`. A save that cannot run
 * changes nothing. Prints a line for each reload, each failure, and the type errors.
 */
export function reloadOnSave(options: ReloadOptions): void {
  const { project, print, stopping } = options;
  const reloader = new Reloader(options);
  const types = new TypeChecker(print);
  stopping.addEventListener('abort', () => types.cancel());
  const watched = { folders: ['lambda', 'lib'], files: ['openapi.json'] };
  watchSaves(project, watched, async (paths, savedAt) => {
    if (stopping.aborted) return;
    types.cancel();
    reloader.add(paths, savedAt);
    await reloader.run();
    // What cannot run has printed its error.
    if (!reloader.failed && !stopping.aborted) types.check();
  });
  // For what was saved in lambda/ while the emulator started. The loader is part of every function.
  reloader.add(['lambda/index.mjs'], performance.now());
  void reloader.run();
}

/** In the order in which it is reloaded. */
const SAVED = ['openapi.json', 'lib', 'lambda', 'lambda/shared'] as const;
type Saved = (typeof SAVED)[number];

/** Reloads what is saved, one step at a time. */
class Reloader {
  readonly #options: ReloadOptions;
  /** When what is not reloaded yet was saved first, as `performance.now()`. */
  readonly #saved = new Map<Saved, number>();
  /** The same of the step in progress. */
  #step: ReadonlyMap<Saved, number> = new Map();
  /** What could not be generated, synthesized or run. */
  readonly #broken = new Set<Saved>();
  #current: Version;
  /** The last one that was synthesized, even if the emulator cannot run it. */
  #newestAssembly: string;
  #running: Promise<void> | undefined;

  constructor(options: ReloadOptions) {
    this.#options = options;
    this.#current = options;
    this.#newestAssembly = options.assembly;
  }

  /** Whether something that is saved cannot run. */
  get failed(): boolean {
    return this.#broken.size > 0;
  }

  /** @param paths of files and folders, relative to the project */
  add(paths: readonly string[], savedAt: number): void {
    const { project, bundler, synthesizer } = this.#options;
    bundler.invalidate(paths.map((path) => join(project, path)));
    for (const saved of SAVED) {
      const concerns = (path: string) => `${path}/`.startsWith(`${saved}/`) || saved.startsWith(`${path}/`);
      if (paths.some(concerns) && !this.#saved.has(saved)) this.#saved.set(saved, savedAt);
    }
    // Functions need not wait for a synthesis, except to go live with what is saved in lib/.
    const waits = this.#saved.has('lambda') && !this.#step.has('lib');
    if (this.#saved.has('lib') || waits) synthesizer.interrupt();
  }

  /** Resolves when everything is reloaded that has been added until then, and can be. */
  run(): Promise<void> {
    this.#running ??= this.#reloadSaved().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  async #reloadSaved(): Promise<void> {
    const { emulator, stopping } = this.#options;
    while (!stopping.aborted) {
      // The files that it writes are the next save.
      if (this.#saved.has('openapi.json')) await this.#reload(['openapi.json'], () => this.#generate());
      else if (this.#saved.has('lib'))
        await this.#reload(['lib', 'lambda', 'lambda/shared'], () => this.#synthesize());
      else if (this.#saved.has('lambda')) {
        const reloaded = this.#reload(['lambda'], () => this.#replace());
        emulator.holdRequests(reloaded);
        await reloaded;
      } else if (this.#saved.has('lambda/shared') && !this.#broken.has('lambda'))
        await this.#reload(['lambda/shared'], () => this.#synthesize());
      else return;
    }
  }

  /** Prints what `work` returns, if anything, with the time since the first of the saves, or why it failed. */
  async #reload(saves: readonly Saved[], work: () => Promise<string | undefined>): Promise<void> {
    const { print, stopping } = this.#options;
    this.#step = new Map([...this.#saved].filter(([saved]) => saves.includes(saved)));
    for (const saved of saves) this.#saved.delete(saved);
    try {
      const done = await work();
      const milliseconds = performance.now() - Math.min(...this.#step.values());
      if (done !== undefined) print(`${done} in ${Math.round(milliseconds)} ms.`);
    } catch (error) {
      if (stopping.aborted) return;
      if (!(error instanceof EmulatorError)) throw error;
      print(`${colored('red', error.message)}\nThe last good version runs on.`);
    }
  }

  async #generate(): Promise<string> {
    const { project, stopping } = this.#options;
    await this.#attempt('openapi.json', () => run('scripts/generate.ts', project, stopping));
    return 'Generated lambda/generated/ from openapi.json';
  }

  /** Replaces the stack and the functions. */
  async #synthesize(): Promise<string | undefined> {
    const { print, synthesizer } = this.#options;
    print('Synthesizing the stack …');
    const assembly = await this.#attempt('lib', () => synthesizer.synthesize());
    if (assembly === undefined) {
      // Another save has interrupted it.
      for (const [saved, savedAt] of this.#step) this.#saved.set(saved, savedAt);
      return undefined;
    }
    this.#newestAssembly = assembly;
    return this.#replace();
  }

  /** Replaces what runs by the newest version, all at once. @returns what was done, if anything has changed */
  async #replace(): Promise<string | undefined> {
    const wasBroken = this.#broken.has('lambda');
    const names = await this.#attempt('lambda', async () => {
      const current = this.#current;
      const bundles = await this.#options.bundler.build(current.bundles);
      const next = { assembly: this.#newestAssembly, bundles };
      const changed = bundles.filter((bundle) => !current.bundles.includes(bundle)).map(({ name }) => name);
      const names = next.assembly === current.assembly ? changed : ['the stack', ...changed];
      if (names.length > 0) await this.#run(next);
      return names;
    });
    if (names.length > 0) return `Reloaded ${names.join(', ')}`;
    return wasBroken ? 'Returned to the last good version' : undefined;
  }

  async #run(next: Version): Promise<void> {
    let unused = next;
    try {
      await this.#options.emulator.reload({ assembly: next.assembly, assets: assetsOf(next.bundles) });
      [this.#current, unused] = [next, this.#current];
    } finally {
      const used = [...foldersOf(this.#current), this.#newestAssembly];
      for (const folder of foldersOf(unused)) if (!used.includes(folder)) removeLater(folder);
    }
  }

  /** Remembers what is broken until it succeeds. */
  async #attempt<Result>(what: Saved, work: () => Promise<Result>): Promise<Result> {
    this.#broken.add(what);
    const result = await work();
    this.#broken.delete(what);
    return result;
  }
}

function foldersOf({ assembly, bundles }: Version): readonly string[] {
  return [assembly, ...bundles.map(({ folder }) => folder)];
}

function removeLater(folder: string): void {
  const remove = () => rm(folder, { recursive: true, force: true }).catch(() => {});
  setTimeout(remove, REMOVE_AFTER_MS).unref();
}

/** Runs a script of the project. @throws EmulatorError with what it wrote to stderr if it fails */
function run(script: string, cwd: string, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [script], { cwd, signal }, (error, _stdout, stderr) => {
      if (error === null) resolve();
      else reject(new EmulatorError(`${script} failed:\n${stderr.trim()}`));
    });
  });
}
