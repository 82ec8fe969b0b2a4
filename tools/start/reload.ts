import { type ExecFileException, execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { inspect, promisify, styleText } from 'node:util';
import { watch } from 'chokidar';
import type { Emulator, RunningVersion } from 'stack-emulator';
import { explainFailure, UserError } from '../command-line/failures.ts';
import type { Build } from './build-all.ts';

/** Editors save a file in several steps; all steps within this time count as one save. */
const DEBOUNCE_MS = 30;
const OPENAPI = 'openapi.json';
/** A change in lib/functions/bundle/ needs a restart, because this process has loaded these modules. */
const WATCHED = ['lambda', 'lib', OPENAPI];

export interface ReloadOptions {
  readonly project: string;
  readonly emulator: Pick<Emulator, 'holdRequests' | 'run'>;
  readonly build: () => Promise<Build>;
  /**
   * Synthesizes the stack from the saved code.
   * @returns the folder of the assembly
   * @throws Error if the CDK app fails, or if `signal` interrupts it
   */
  readonly synthesize: (signal: AbortSignal) => Promise<string>;
  /** Starts a check of the types in `lambda/` and `lib/`, which `signal` ends, and prints the first error. */
  readonly checkTypes: (signal: AbortSignal) => void;
  readonly print: (message: string) => void;
}

/**
 * Runs the code in `lambda/` and `lib/`, and reloads it after each save: generates code if `openapi.json` has changed,
 * builds the functions, and synthesizes the stack if its code has changed. If any of this fails, the last good version
 * keeps running.
 */
export class Reloader {
  /** Resolves when the first version runs; rejects if it cannot run. */
  readonly first: Promise<RunningVersion>;
  readonly #options: ReloadOptions;
  readonly #stopping = new AbortController();
  readonly #watcher: ReturnType<typeof watch>;
  readonly #reloading: Promise<void>;
  /** Aborted when something is saved that the last build may not include. */
  #saved = new AbortController();
  /** The text of openapi.json from which code was last generated. */
  #openapi: string | undefined;
  #synthesized = { stackKey: '', assembly: '' };

  constructor(options: ReloadOptions) {
    this.#options = options;
    this.#watcher = watch(WATCHED, {
      cwd: options.project,
      ignoreInitial: true,
      ignored: (path, stats) => stats?.isFile() === true && !/\.(ts|js|mjs|json)$/.test(path),
    }).on('all', () => this.#saved.abort());
    this.first = this.#load();
    this.#reloading = this.first.then(
      () => this.#reloadOnSave(),
      () => {},
    );
  }

  /** Cancels the work in progress without printing a message, and resolves when all its processes have ended. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.all([this.#watcher.close(), this.#reloading]);
  }

  async #reloadOnSave(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      try {
        if (!this.#saved.signal.aborted) await once(this.#saved.signal, 'abort', { signal });
        const startedAt = performance.now();
        await this.#load();
        this.#options.print(`Reloaded in ${Math.round(performance.now() - startedAt)} ms.`);
        if (this.#saved.signal.aborted) continue;
        this.#options.checkTypes(AbortSignal.any([this.#saved.signal, signal]));
      } catch (error) {
        if (signal.aborted) return;
        // A bug is printed with its stack.
        const message = explainFailure(error) ?? inspect(error);
        const shown = styleText('red', message, { stream: process.stderr });
        this.#options.print(`${shown}\nStill running the last good version.`);
      }
    }
  }

  /** Replaces the running version by what is saved. Meanwhile, requests wait, but not for a synthesis. */
  async #load(): Promise<RunningVersion> {
    const { emulator, build, synthesize, print } = this.#options;
    const released = Promise.withResolvers<void>();
    emulator.holdRequests(released.promise);
    try {
      return await this.#untilUnchanged(async (saved) => {
        await this.#generate();
        const { assets, stackKey } = await build();
        if (stackKey !== this.#synthesized.stackKey) {
          released.resolve();
          print('Synthesizing the stack …');
          this.#synthesized = { stackKey, assembly: await synthesize(this.#stopping.signal) };
        }
        saved.throwIfAborted();
        return emulator.run({ assembly: this.#synthesized.assembly, assets });
      });
    } finally {
      released.resolve();
    }
  }

  /**
   * Repeats some work until no file is saved during it. Such a file may be part of the same change, so the work may fail,
   * and only the next attempt can be complete.
   */
  async #untilUnchanged<T>(work: (saved: AbortSignal) => Promise<T>): Promise<T> {
    for (;;) {
      this.#saved = new AbortController();
      const saved = this.#saved.signal;
      try {
        await sleep(DEBOUNCE_MS, undefined, { signal: this.#stopping.signal });
        saved.throwIfAborted();
        return await work(saved);
      } catch (error) {
        if (!saved.aborted) throw error;
      }
    }
  }

  async #generate(): Promise<void> {
    const { project } = this.#options;
    const { signal } = this.#stopping;
    // If the file is missing, `npm run generate` says what to do.
    const openapi = await readFile(join(project, OPENAPI), 'utf8').catch(() => '');
    if (openapi === this.#openapi) return;
    const generating = promisify(execFile)(process.execPath, ['bin/generate.ts'], {
      cwd: project,
      signal,
    });
    await generating.catch(({ stderr, message }: ExecFileException) => {
      throw new UserError(stderr?.trimEnd() || message);
    });
    this.#openapi = openapi;
  }
}
