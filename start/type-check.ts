import { createRequire } from 'node:module';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Worker } from 'node:worker_threads';

const TSC = createRequire(import.meta.url).resolve('typescript/lib/tsc.js');

/**
 * Checks the types of a folder now and after each save. The first check takes seconds, so it runs in a thread: that,
 * unlike a process, ends with this process whatever ends it.
 * @param onResult gets the errors, one in each line; '' if there are none
 */
export function watchTypes(folder: 'lambda' | 'lib', onResult: (errors: string) => void): void {
  const tsc = new Worker(TSC, {
    name: `types of ${folder}/`,
    argv: ['--project', join(import.meta.dirname, `tsconfig.${folder}.json`), '--watch', '--pretty', 'false'],
    execArgv: [],
    // TypeScript would leave a folder among the temporary files.
    env: { ...process.env, NODE_DISABLE_COMPILE_CACHE: '1' },
    stdout: true,
  });
  const errors: string[] = [];
  createInterface({ input: tsc.stdout }).on('line', (line) => {
    if (/ - Found \d+ errors?\. Watching/.test(line)) onResult(errors.splice(0).join('\n'));
    // Further lines of an error are indented.
    else if (/: error TS\d+: |^ +\S/.test(line)) errors.push(line);
  });
}
