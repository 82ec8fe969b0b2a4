import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { styleText } from 'node:util';
import { type Emulator, EmulatorError } from '../emulator/index.ts';
import { assetsOf, type Bundle, type Bundler } from './bundler.ts';
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
    // A build that fails has printed its error.
    if (!reloader.failed && !stopping.aborted) types.check();
  });
  // What was saved while the emulator started.
  reloader.add(['lambda'], performance.now());
  void reloader.run();
}

/** In the order in which it goes live. */
type Saved = 'openapi.json' | 'lib' | 'lambda' | 'lambda/shared';

/** Makes live what has been saved, one step at a time. */
class Reloader {
  readonly #options: ReloadOptions;
  /** When what is not live yet was saved first, as `performance.now()`. */
  readonly #saved = new Map<Saved, number>();
  #current: Version;
  /** What `#current` would have if everything that is saved could run. */
  #newestAssembly: string;
  #running: Promise<void> | undefined;
  #failed = false;

  constructor(options: ReloadOptions) {
    this.#options = options;
    this.#current = options;
    this.#newestAssembly = options.assembly;
  }

  /** Whether something that is saved cannot run. */
  get failed(): boolean {
    return this.#failed;
  }

  /** @param paths of files and folders, relative to the project */
  add(paths: readonly string[], savedAt: number): void {
    const { project, bundler, synthesizer } = this.#options;
    bundler.invalidate(paths.map((path) => join(project, path)));
    for (const saved of ['openapi.json', 'lib', 'lambda', 'lambda/shared'] as const) {
      if (this.#saved.has(saved)) continue;
      if (paths.some((path) => path === saved || path.startsWith(`${saved}/`)))
        this.#saved.set(saved, savedAt);
    }
    if (this.#saved.has('lib')) synthesizer.interrupt();
  }

  /** Resolves when everything is live that has been added until then, and can be. */
  run(): Promise<void> {
    this.#running ??= this.#makeLive().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  async #makeLive(): Promise<void> {
    const { emulator, stopping } = this.#options;
    while (!stopping.aborted) {
      // The files that it writes are the next save.
      if (this.#saved.has('openapi.json')) await this.#step(['openapi.json'], () => this.#generate());
      // With the functions, so that lib/ and lambda/ go live together.
      else if (this.#saved.has('lib'))
        await this.#step(['lib', 'lambda', 'lambda/shared'], () => this.#reloadStack());
      else if (this.#saved.has('lambda')) {
        const live = this.#step(['lambda'], () => this.#reload());
        emulator.holdRequests(live);
        await live;
      }
      // The stack imports it too, but the functions need not wait for a synthesis.
      else if (this.#saved.has('lambda/shared') && !this.#failed)
        await this.#step(['lambda/shared'], () => this.#reloadStack());
      else return;
    }
  }

  /** Prints what `work` returns, if anything, with the time since the first of the saves, or why it failed. */
  async #step(saves: readonly Saved[], work: () => Promise<string | undefined>): Promise<void> {
    const { print, stopping } = this.#options;
    const savedAt = Math.min(...saves.flatMap((saved) => this.#saved.get(saved) ?? []));
    for (const saved of saves) this.#saved.delete(saved);
    try {
      const done = await work();
      if (done !== undefined) print(`${done} in ${Math.round(performance.now() - savedAt)} ms.`);
    } catch (error) {
      if (stopping.aborted) return;
      if (!(error instanceof EmulatorError)) throw error;
      print(`${styleText('red', error.message, { stream: process.stderr })}\nThe last good version runs on.`);
      this.#failed = true;
    }
  }

  async #generate(): Promise<string> {
    const { project, stopping } = this.#options;
    await run('scripts/generate.ts', project, stopping);
    return 'Generated lambda/generated/ from openapi.json';
  }

  async #reloadStack(): Promise<string | undefined> {
    const { print, synthesizer } = this.#options;
    print('Synthesizing the stack …');
    const assembly = await synthesizer.synthesize();
    // Another save in lib/ has interrupted it.
    if (assembly === undefined) return undefined;
    this.#newestAssembly = assembly;
    return this.#reload();
  }

  /** Replaces what runs, all at once. @returns what was done, if anything has changed */
  async #reload(): Promise<string | undefined> {
    const { bundler } = this.#options;
    const current = this.#current;
    const next = { assembly: this.#newestAssembly, bundles: await bundler.build(current.bundles) };
    const changed = next.bundles.filter((bundle) => !current.bundles.includes(bundle));
    const names: string[] = changed.map(({ name }) => name);
    if (next.assembly !== current.assembly) names.unshift('the stack');
    const failed = this.#failed;
    if (names.length > 0) await this.#replace(next);
    this.#failed = false;
    if (names.length > 0) return `Reloaded ${names.join(', ')}`;
    return failed ? 'Returned to the last good version' : undefined;
  }

  async #replace(next: Version): Promise<void> {
    let unused = next;
    try {
      await this.#options.emulator.reload({ assembly: next.assembly, assets: assetsOf(next.bundles) });
      [this.#current, unused] = [next, this.#current];
    } finally {
      const used = [...foldersOf(this.#current), this.#newestAssembly];
      for (const folder of foldersOf(unused)) if (!used.includes(folder)) removeLater(folder);
    }
  }
}

function foldersOf({ assembly, bundles }: Version): readonly string[] {
  return [assembly, ...bundles.map(({ folder }) => folder)];
}

function removeLater(folder: string): void {
  setTimeout(() => rm(folder, { recursive: true, force: true }), REMOVE_AFTER_MS).unref();
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
