import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { join } from 'node:path';

export interface CheckOptions {
  readonly project: string;
  /** The folders to check. */
  readonly include: readonly string[];
  /** The file to write TypeScript's configuration to. */
  readonly config: string;
  readonly signal: AbortSignal;
  readonly print: (error: string) => void;
}

/**
 * Prints the first type error, if there is any, unless `signal` ends the check before. Does nothing without the
 * development packages.
 */
export function checkTypes({ project, include, config, signal, print }: CheckOptions): void {
  const inProject = (path: string) => join(project, path);
  const settings = {
    extends: inProject('tsconfig.json'),
    compilerOptions: { typeRoots: [inProject('node_modules/@types')] },
    include: include.map(inProject),
  };
  writeFileSync(config, JSON.stringify(settings));
  const tsc = inProject('node_modules/@typescript/native/bin/tsc');
  const args = [tsc, '--project', config, '--pretty', 'false'];
  const { pid } = execFile(process.execPath, args, { cwd: project, signal }, (_, stdout) => {
    const [first] = stdout.split('\n');
    if (first && !signal.aborted) print(first);
  });
  // Requests and the next reload come first.
  if (pid !== undefined) setPriority(pid, constants.priority.PRIORITY_LOW);
}
