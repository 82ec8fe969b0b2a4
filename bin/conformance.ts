/** `npm run conformance`: compares a running service with its contract and with published records of AWS's responses. */
import { abortedOnInterrupt, runCommand } from '../tools/command-line/run-command.ts';
import { runConformance } from '../tools/conformance/run-conformance.ts';

await runCommand('conformance', async () => {
  const options = { env: process.env, signal: abortedOnInterrupt(), print: console.log };
  if (!(await runConformance(process.argv.slice(2), options))) process.exitCode = 1;
});
