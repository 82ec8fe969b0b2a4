/** `npm run conformance`: compares a running service with its contract and with published records of AWS's responses. */
import { interruptSignal, runCommand } from '../tools/command-line/run-command.ts';

await runCommand('conformance', async () => {
  // Reads openapi.json, which may be invalid.
  const { runConformance } = await import('../tools/conformance/run-conformance.ts');
  const args = process.argv.slice(2);
  const isSame = await runConformance(args, process.env, interruptSignal(), console.log);
  if (!isSame) process.exitCode = 1;
});
