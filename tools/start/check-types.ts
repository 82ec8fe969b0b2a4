import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

const PROJECT = join(import.meta.dirname, '../..');
const inProject = (path: string) => join(PROJECT, path);

/**
 * Prints the first type error in `lambda/` and `lib/`, if there is any, unless `signal` ends the check before. Does
 * nothing without the development packages.
 * @param file where to write TypeScript's configuration
 */
export function checkTypes(
  file: string,
  signal: AbortSignal,
  print: (error: string) => void,
): void {
  const settings = {
    extends: inProject('tsconfig.json'),
    compilerOptions: {
      typeRoots: [inProject('node_modules/@types')],
      // A name that is not used yet would hide the first mistake.
      noUnusedLocals: false,
      noUnusedParameters: false,
    },
    include: ['lambda', 'lib'].map(inProject),
  };
  writeFileSync(file, JSON.stringify(settings));
  const tsc = inProject('node_modules/@typescript/native/bin/tsc');
  const args = [tsc, '--project', file, '--pretty', 'false'];
  execFile(process.execPath, args, { cwd: PROJECT, signal }, (_, stdout) => {
    const [first] = stdout.split('\n');
    if (first && !signal.aborted) print(first);
  });
}
