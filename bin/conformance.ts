/** `npm run conformance`: compares a running service with its contract and with published records of AWS's responses. */
import { abortedOnInterrupt, runCommand } from '../tools/command-line/run-command.ts';
import { run } from '../tools/conformance/cli.ts';

await runCommand('conformance', async () => {
  const options = { env: process.env, signal: abortedOnInterrupt(), print: console.log };
  if (!(await run(process.argv.slice(2), options))) process.exitCode = 1;
});
