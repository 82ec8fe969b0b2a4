import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { isNativeError } from 'node:util/types';
import { type Emulator, EmulatorError, type RunningVersion } from '@plant-store/emulator';
import type { Bundle, Bundler } from './bundler.ts';
import { colored } from './colors.ts';
import { leftOutLines } from './introduction.ts';
import type { TypeChecker } from './type-check.ts';
import { watchSaves } from './watch.ts';

/** Longer than any request takes, because running requests may still start workers from the old folder. */
const REMOVE_AFTER_MS = 60_000;
const PROGRESS_MS = 2_000;

const CONTRACT = 'openapi.json';

export interface ReloadOptions {
  readonly project: string;
  readonly emulator: Pick<Emulator, 'holdRequests' | 'run'>;
  readonly bundler: Pick<Bundler, 'build' | 'stop'>;
  /**
   * Synthesizes the stack from the saved code.
   * @returns the folder of the assembly
   * @throws Error if the CDK app fails, or if `signal` interrupts it
   */
  readonly synthesize: (signal: AbortSignal) => Promise<string>;
  readonly types: TypeChecker;
  readonly print: (message: string) => void;
}

type Part = 'openapi.json' | 'lib' | 'lambda';

/**
 * Runs the code in `lambda/` and `lib/`, and reloads it after each save. Saving a file in `lambda/` triggers a build of
 * the functions. Saving a file in `lib/`, or one that `lib/` imports, triggers a synthesis of the stack. Saving
 * `openapi.json` triggers the generation of files in `lambda/`. The newest functions and the newest stack run; if they
 * cannot run, the previous ones keep running.
 */
export class Reloader {
  readonly #options: ReloadOptions;
  readonly #first = Promise.withResolvers<RunningVersion>();
  /** Resolves when the first version runs; rejects with an EmulatorError if it cannot run. */
  readonly first = this.#first.promise;
  readonly #stopping = new AbortController();
  /** The saved paths that have not been built yet, relative to the project. */
  readonly #saved = new Set<string>();
  /** The time of the first save whose changes are not live yet, from `performance.now()`. */
  #savedAt: number | undefined;
  /** The last step in the queue; every step reloads the saved code. */
  #lastStep = Promise.resolve();
  /** The step that has not begun yet, if any. It will build everything that is saved before it begins. */
  #nextStep: Promise<void> | undefined;
  /** Aborting this interrupts the synthesis in progress. */
  #synthesis: AbortController | undefined;
  /** Whether functions and the stack being synthesized must go live together, because a file in `lib/` was saved. */
  #waitsForStack = false;
  #lastSynthesis = Promise.resolve();
  /** The hash of the stack's code in the last build. */
  #stack = '';
  /** The folder of the last assembly. */
  #assembly = '';
  /** The bundles of the saved functions; undefined if they cannot run. */
  #bundles: readonly Bundle[] | undefined;
  #running: { readonly assembly: string; readonly bundles: readonly Bundle[] } | undefined;
  /** The parts that could not be generated, synthesized or run. */
  readonly #broken = new Set<Part>();
  /** Whether any part has been broken since all parts last worked. */
  #wasBroken = false;

  constructor(options: ReloadOptions) {
    this.#options = options;
    const watched = { folders: ['lambda', 'lib'], files: [CONTRACT] };
    watchSaves(options.project, watched, options.print, (paths) => this.#save(paths));
    // Includes openapi.json, which may have changed while npm start was not running.
    this.#save([...watched.folders, ...watched.files]);
  }

  /** Cancels the work in progress without printing a message, and resolves when all its processes have ended. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#options.types.cancel();
    await Promise.all([this.#lastStep, this.#lastSynthesis, this.#options.bundler.stop()]);
  }

  #save(paths: readonly string[]): void {
    if (this.#stopping.signal.aborted) return;
    this.#options.types.cancel();
    for (const path of paths) this.#saved.add(path);
    this.#savedAt ??= performance.now();
    this.#nextStep ??= this.#lastStep.then(() => this.#reload());
    this.#lastStep = this.#nextStep;
    // A step builds and loads the functions but does not synthesize the stack, so no request waits for a synthesis.
    this.#options.emulator.holdRequests(this.#nextStep);
  }

  async #reload(): Promise<void> {
    if (this.#stopping.signal.aborted) return;
    this.#nextStep = undefined;
    const saved = [...this.#saved];
    this.#saved.clear();
    try {
      if (saved.includes(CONTRACT)) await this.#generate();
      if (saved.length > 0) await this.#build(saved.some((path) => /^lib(\/|$)/.test(path)));
      if (!this.#waitsForStack && this.#bundles !== undefined) await this.#replace(this.#bundles);
    } catch (error) {
      this.#bundles = undefined;
      this.#fail('lambda', error);
    }
  }

  async #generate(): Promise<void> {
    const script = 'bin/generate.ts';
    const options = { cwd: this.#options.project, signal: this.#stopping.signal };
    const failed = Promise.withResolvers<string | false>();
    execFile(process.execPath, [script], options, (error, _, stderr) =>
      failed.resolve(error !== null && stderr),
    );
    const failure = await failed.promise;
    if (failure !== false) return this.#fail('openapi.json', `${script} failed:\n${failure.trim()}`);
    this.#broken.delete('openapi.json');
    if (this.#running !== undefined) this.#printDone('Generated lambda/generated/ from openapi.json');
  }

  /** Builds the functions, and begins a synthesis if the stack may have changed. */
  async #build(isStackSaved: boolean): Promise<void> {
    this.#waitsForStack ||= isStackSaved;
    if (isStackSaved) this.#beginSynthesis();
    const { bundles, stack } = await this.#options.bundler.build(this.#running?.bundles);
    this.#bundles = bundles;
    if (!isStackSaved && stack !== this.#stack) this.#beginSynthesis();
    this.#stack = stack;
  }

  /** Interrupts any synthesis that is in progress, then begins a new one. */
  #beginSynthesis(): void {
    this.#synthesis?.abort();
    this.#synthesis = new AbortController();
    const signal = AbortSignal.any([this.#synthesis.signal, this.#stopping.signal]);
    this.#lastSynthesis = this.#lastSynthesis.then(() => this.#synthesize(signal));
  }

  async #synthesize(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    this.#options.print('Synthesizing the stack …');
    let seconds = 0;
    const progress = setInterval(() => {
      seconds += PROGRESS_MS / 1000;
      this.#options.print(`Still synthesizing after ${seconds} s …`);
    }, PROGRESS_MS);
    try {
      const assembly = await this.#options.synthesize(signal);
      if (signal.aborted) return;
      this.#assembly = assembly;
      this.#broken.delete('lib');
    } catch (error) {
      if (signal.aborted) return;
      this.#fail('lib', error);
    } finally {
      clearInterval(progress);
    }
    this.#synthesis = undefined;
    this.#waitsForStack = false;
    this.#save([]);
  }

  /** Replaces the running stack and functions with the newest ones, all at once. */
  async #replace(bundles: readonly Bundle[]): Promise<void> {
    const [before, assembly] = [this.#running, this.#assembly];
    const isNewStack = assembly !== before?.assembly;
    const changed = bundles.filter((bundle) => !before?.bundles.includes(bundle)).map(({ name }) => name);
    const names = isNewStack ? ['the stack', ...changed] : changed;
    if (names.length > 0) {
      const assets = new Map(bundles.map(({ asset, folder }) => [asset, folder]));
      const version = await this.#options.emulator.run({ assembly, assets });
      this.#running = { assembly, bundles };
      for (const failure of version.failures) this.#options.print(colored('red', failure));
      // On startup, `introduction` already lists the resources that are left out.
      if (before !== undefined && isNewStack && version.leftOut.size > 0)
        this.#options.print(leftOutLines(version.leftOut).trimEnd());
      this.#first.resolve(version);
    }
    this.#broken.delete('lambda');
    if (before !== undefined && names.length > 0) this.#printDone(`Reloaded ${names.join(', ')}`);
    else if (this.#wasBroken && this.#broken.size === 0) this.#printDone('Accepted the restored code');
    this.#wasBroken = this.#broken.size > 0;
    if (this.#synthesis === undefined) this.#savedAt = undefined;
    this.#options.types.check(this.#broken.size === 0);
    if (isNewStack && before !== undefined) removeLater(before.assembly);
    for (const bundle of before?.bundles ?? []) if (!bundles.includes(bundle)) removeLater(bundle.folder);
  }

  #printDone(what: string): void {
    const milliseconds = performance.now() - (this.#savedAt ?? performance.now());
    this.#options.print(`${what} in ${Math.round(milliseconds)} ms.`);
  }

  #fail(part: Part, error: unknown): void {
    this.#broken.add(part);
    this.#wasBroken = true;
    this.#savedAt = undefined;
    const message = isNativeError(error) ? error.message : String(error);
    if (this.#stopping.signal.aborted) return;
    if (this.#running === undefined) this.#first.reject(new EmulatorError(message));
    else this.#options.print(`${colored('red', message)}\nStill running the last good version.`);
  }
}

function removeLater(folder: string): void {
  const remove = () => rm(folder, { recursive: true, force: true }).catch(() => {});
  setTimeout(remove, REMOVE_AFTER_MS).unref();
}
