/** `npm run conformance`: compares a running service with its contract and with published records of AWS's responses. */
import { abortedOnInterrupt, runCommand } from '../tools/command-line/run-command.ts';
import { runConformance } from '../tools/conformance/run-conformance.ts';

await runCommand('conformance', async () => {
  const [, , ...args] = process.argv;
  const isSame = await runConformance(args, process.env, abortedOnInterrupt(), console.log);
  if (!isSame) process.exitCode = 1;
});
