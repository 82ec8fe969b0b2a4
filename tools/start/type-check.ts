import { type ChildProcess, execFile } from 'node:child_process';
import { join } from 'node:path';
import { colored } from './colors.ts';

const PROJECT = join(import.meta.dirname, '../..');
const TSC = join(PROJECT, 'node_modules/@typescript/native/bin/tsc');
/** A check begins once no file has been saved for this long. */
const QUIET_MS = 500;

export interface TypeChecker {
  /**
   * Schedules a check, and cancels any check that has not finished.
   * @param isRunning whether the code is running, even if it has type errors
   */
  check(isRunning: boolean): void;
  /** Cancels a check that is scheduled or in progress. */
  cancel(): void;
}

/** Checks the types of `lambda/` and `lib/`, which takes seconds, and prints the errors. */
export function createTypeChecker(print: (message: string) => void): TypeChecker {
  let timer: NodeJS.Timeout | undefined;
  let tsc: ChildProcess | undefined;
  let failed = false;
  const run = (isRunning: boolean) => {
    const args = [TSC, '--project', import.meta.dirname, '--pretty', 'false'];
    const options = { cwd: PROJECT, maxBuffer: Number.POSITIVE_INFINITY };
    const started = execFile(process.execPath, args, options, (error, stdout, stderr) => {
      if (started.killed) return;
      const errors = error === null ? '' : `${stdout}${stderr}`.trimEnd() || error.message;
      if (errors !== '')
        print(`${colored('yellow', errors)}${isRunning ? '\nRunning the code anyway.' : ''}`);
      else if (failed) print('Type errors fixed.');
      failed = errors !== '';
    });
    tsc = started;
  };
  const cancel = () => {
    clearTimeout(timer);
    // SIGKILL is needed because tsc ignores SIGTERM.
    tsc?.kill('SIGKILL');
  };
  return {
    cancel,
    check(isRunning) {
      cancel();
      timer = setTimeout(run, QUIET_MS, isRunning);
    },
  };
}
