import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { isNativeError } from 'node:util/types';
import { type Emulator, type RunningVersion, UserError } from '@plant-store/emulator';
import { watch } from 'chokidar';
import type { Bundle, Bundler } from './bundler.ts';
import { colored } from './colors.ts';
import { leftOutLines } from './introduction.ts';

/** Editors save a file in several steps; all steps within this time count as one save. */
const DEBOUNCE_MS = 30;
/** Longer than any request takes, because a running request may still start a worker from the old folder. */
const REMOVE_AFTER_MS = 60_000;
const CONTRACT = 'openapi.json';
const WATCHED = ['lambda', 'lib', CONTRACT];

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
  readonly print: (message: string) => void;
}

/** A version of the app, with the hash of the stack's code. */
interface Version {
  readonly stack: string;
  readonly assembly: string;
  readonly bundles: readonly Bundle[];
}

/**
 * Runs the code in `lambda/` and `lib/`, and reloads it after each save: generates code if `openapi.json` was saved,
 * builds the functions, and synthesizes the stack if its code has changed. If any of this fails, the last good version
 * keeps running.
 */
export class Reloader {
  readonly #options: ReloadOptions;
  readonly #first = Promise.withResolvers<RunningVersion>();
  /** Resolves when the first version runs; rejects with a UserError if it cannot run. */
  readonly first = this.#first.promise;
  readonly #stopping = new AbortController();
  readonly #watcher: ReturnType<typeof watch>;
  /** All reloads, one after another; undefined while nothing is saved. */
  #reloads: Promise<void> | undefined;
  /** Whether anything has been saved that the reload in progress may not include. */
  #isSaved = false;
  #isContractSaved = false;
  #synthesized: Pick<Version, 'stack' | 'assembly'> | undefined;
  #running: Version | undefined;
  #failed = false;

  constructor(options: ReloadOptions) {
    this.#options = options;
    this.#watcher = watch(WATCHED, {
      cwd: options.project,
      ignoreInitial: true,
      ignored: (path, stats) => stats?.isFile() === true && !/\.(ts|js|mjs|json)$/.test(path),
    }).on('all', (_, path) => this.#save(path));
    this.#save(CONTRACT);
  }

  /** Cancels the work in progress without printing a message, and resolves when all its processes have ended. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.all([this.#watcher.close(), this.#reloads, this.#options.bundler.stop()]);
  }

  #save(path: string): void {
    this.#isSaved = true;
    this.#isContractSaved ||= path === CONTRACT;
    this.#reloads ??= this.#reloadAll();
  }

  async #reloadAll(): Promise<void> {
    while (this.#isSaved && !this.#stopping.signal.aborted) await this.#reload();
    this.#reloads = undefined;
  }

  async #reload(): Promise<void> {
    const startedAt = performance.now();
    const loaded = Promise.withResolvers<void>();
    this.#options.emulator.holdRequests(loaded.promise);
    try {
      do {
        this.#isSaved = false;
        await sleep(DEBOUNCE_MS);
      } while (this.#isSaved);
      if (this.#isContractSaved) await this.#generate();
      const { bundles, stack } = await this.#options.bundler.build(this.#running?.bundles);
      if (stack !== this.#synthesized?.stack) {
        // Requests do not wait for a synthesis, which takes seconds.
        loaded.resolve();
        this.#options.print('Synthesizing the stack …');
        const assembly = await this.#options.synthesize(this.#stopping.signal);
        this.#synthesized = { stack, assembly };
      }
      // A file that was saved since may be part of the same change, so only the next reload can be complete.
      if (this.#isSaved) return;
      const done = await this.#run({ ...this.#synthesized, bundles });
      if (done !== undefined) {
        this.#options.print(`${done} in ${Math.round(performance.now() - startedAt)} ms.`);
      }
    } catch (error) {
      if (!this.#isSaved) this.#fail(error);
    } finally {
      loaded.resolve();
    }
  }

  async #generate(): Promise<void> {
    const failed = Promise.withResolvers<string | false>();
    const options = { cwd: this.#options.project, signal: this.#stopping.signal };
    execFile(process.execPath, ['bin/generate.ts'], options, (error, _, stderr) =>
      failed.resolve(error !== null && stderr.trim()),
    );
    const failure = await failed.promise;
    if (failure !== false) throw new Error(`bin/generate.ts failed:\n${failure}`);
    this.#isContractSaved = false;
  }

  /** Replaces the running version. @returns what was replaced, for people; undefined for the first version */
  async #run(next: Version): Promise<string | undefined> {
    const before = this.#running;
    const isNewStack = next.assembly !== before?.assembly;
    const changed = next.bundles
      .filter((bundle) => !before?.bundles.includes(bundle))
      .map(({ name }) => name);
    const names = isNewStack ? ['the stack', ...changed] : changed;
    const wasBroken = this.#failed;
    if (names.length > 0) {
      const assets = new Map(next.bundles.map(({ asset, folder }) => [asset, folder]));
      const version = await this.#options.emulator.run({ assembly: next.assembly, assets });
      for (const failure of version.failures) this.#options.print(colored('red', failure));
      // On startup, `introduction` already lists the resources that are left out.
      if (before !== undefined && isNewStack && version.leftOut.size > 0) {
        this.#options.print(leftOutLines(version.leftOut).trimEnd());
      }
      this.#first.resolve(version);
      for (const bundle of before?.bundles ?? []) {
        if (!next.bundles.includes(bundle)) removeLater(bundle.folder);
      }
    }
    this.#running = next;
    this.#failed = false;
    if (before === undefined) return undefined;
    if (names.length > 0) return `Reloaded ${names.join(', ')}`;
    return wasBroken ? 'Accepted the restored code' : undefined;
  }

  #fail(error: unknown): void {
    if (this.#stopping.signal.aborted) return;
    this.#failed = true;
    const message = isNativeError(error) ? error.message : String(error);
    if (this.#running === undefined) this.#first.reject(new UserError(message));
    else this.#options.print(`${colored('red', message)}\nStill running the last good version.`);
  }
}

function removeLater(folder: string): void {
  setTimeout(() => rm(folder, { recursive: true, force: true }), REMOVE_AFTER_MS).unref();
}
