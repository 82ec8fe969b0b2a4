import { type ChildProcess, execFile } from 'node:child_process';
import { join } from 'node:path';
import { colored } from './colors.ts';

const PROJECT = join(import.meta.dirname, '../..');
const TSC = join(PROJECT, 'node_modules/@typescript/native/bin/tsc');
/** How long no file must be saved before a check begins. */
const QUIET_MS = 500;

/** Checks the types of `lambda/` and `lib/`, which takes seconds, and prints the errors. */
export class TypeChecker {
  readonly #print: (message: string) => void;
  #timer: NodeJS.Timeout | undefined;
  #tsc: ChildProcess | undefined;
  #failed = false;

  constructor(print: (message: string) => void) {
    this.#print = print;
  }

  /** Cancels a check that is scheduled or in progress. */
  cancel(): void {
    clearTimeout(this.#timer);
    // It ignores SIGTERM.
    this.#tsc?.kill('SIGKILL');
  }

  /** Schedules a check, in place of one that has not ended. */
  check(): void {
    this.cancel();
    this.#timer = setTimeout(() => this.#run(), QUIET_MS);
  }

  #run(): void {
    const args = [TSC, '--project', import.meta.dirname, '--pretty', 'false'];
    const options = { cwd: PROJECT, maxBuffer: Number.POSITIVE_INFINITY };
    const tsc = execFile(process.execPath, args, options, (error, stdout, stderr) => {
      if (tsc.killed) return;
      if (error !== null) {
        const errors = `${stdout}${stderr}`.trimEnd() || error.message;
        this.#print(`${colored('yellow', errors)}\nRunning it anyway.`);
      } else if (this.#failed) this.#print('Type errors fixed.');
      this.#failed = error !== null;
    });
    this.#tsc = tsc;
  }
}
