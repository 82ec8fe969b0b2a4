import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { styleText } from 'node:util';

const PROJECT = join(import.meta.dirname, '..');
const TSC = join(PROJECT, 'node_modules/@typescript/native/bin/tsc');

/** A save that follows at once is reloaded first. */
const QUIET_MS = 500;

/** Checks the types of `lambda/` and `lib/`, which takes seconds, and prints the errors. */
export class TypeChecker {
  readonly #print: (message: string) => void;
  readonly #stopping: AbortSignal;
  #interruption = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #failed = false;

  /** @param stopping ends a check in progress, without a message */
  constructor(print: (message: string) => void, stopping: AbortSignal) {
    this.#print = print;
    this.#stopping = stopping;
  }

  /** Ends a check that has not ended, without a message. */
  interrupt(): void {
    clearTimeout(this.#timer);
    this.#interruption.abort();
  }

  /** Checks what is saved, unless it is interrupted. */
  check(): void {
    this.interrupt();
    this.#timer = setTimeout(() => this.#run(), QUIET_MS);
  }

  #run(): void {
    this.#interruption = new AbortController();
    const signal = AbortSignal.any([this.#interruption.signal, this.#stopping]);
    const args = [TSC, '--project', import.meta.dirname, '--pretty', 'false'];
    execFile(process.execPath, args, { cwd: PROJECT, signal }, (error, stdout, stderr) => {
      if (signal.aborted) return;
      const errors = styleText('yellow', `${stdout}${stderr}`.trimEnd(), { stream: process.stderr });
      if (error !== null) this.#print(`${errors}\nThe code runs nevertheless.`);
      else if (this.#failed) this.#print('No type errors any more.');
      this.#failed = error !== null;
    });
  }
}
