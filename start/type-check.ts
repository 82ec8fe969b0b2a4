import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';
import { styleText } from 'node:util';
import { Worker } from 'node:worker_threads';

const TSC = createRequire(import.meta.url).resolve('typescript/lib/tsc.js');

/**
 * Prints the type errors of `lambda/` and `lib/`, now and after each save. The first check takes seconds, so it runs in
 * a thread: that, unlike a process, ends with this process whatever ends it.
 */
export function printTypeErrors(print: (message: string) => void): void {
  const tsc = new Worker(TSC, {
    name: 'tsc',
    argv: ['--project', import.meta.dirname, '--watch', '--pretty', 'false'],
    execArgv: [],
    // TypeScript would leave a folder among the temporary files.
    env: { ...process.env, NODE_DISABLE_COMPILE_CACHE: '1' },
    stdout: true,
  });
  const errors: string[] = [];
  let mistyped = false;
  createInterface({ input: tsc.stdout }).on('line', (line) => {
    if (/ - Found \d+ errors?\. Watching/.test(line)) {
      if (errors.length > 0)
        print(
          `${styleText('yellow', errors.join('\n'), { stream: process.stderr })}\nThe code runs nevertheless.`,
        );
      else if (mistyped) print('No type errors any more.');
      mistyped = errors.splice(0).length > 0;
    }
    // Further lines of an error are indented. Errors without a file are about files that have just been removed.
    else if (/: error TS\d+: /.test(line) || (errors.length > 0 && /^ +\S/.test(line))) errors.push(line);
  });
}
