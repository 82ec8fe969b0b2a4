/**
 * `npm run conformance`: compares a running service with its contract and with published records of AWS's responses.
 * For help: `npm run conformance -- --help`.
 */
import { run } from '../tools/conformance/cli.ts';
import { abortedOnInterrupt, runCommand } from '../tools/operator/run-command.ts';

await runCommand('conformance', async () => {
  const { conforms, text } = await run(process.argv.slice(2), {
    env: process.env,
    signal: abortedOnInterrupt(),
    showProgress: (line = '') => {
      if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${line}`);
    },
  });
  console.log(text);
  if (!conforms) process.exitCode = 1;
});
