/** `npm run conformance -- --help`: compares a running service with its contract and with recordings of AWS. */
import { run } from '../conformance/cli.ts';
import { explainFailure } from '../tokens/errors.ts';

const interrupted = new AbortController();
// A second Ctrl-C ends the process at once.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => interrupted.abort());

try {
  const conforms = await run(process.argv.slice(2), {
    env: process.env,
    signal: interrupted.signal,
    print: (text) => console.log(text),
    showProgress: (line = '') => {
      if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${line}`);
    },
  });
  if (!conforms) process.exitCode = 1;
} catch (error) {
  const explanation = interrupted.signal.aborted ? 'interrupted' : explainFailure(error);
  if (explanation === undefined) throw error;
  console.error(`conformance: ${explanation}`);
  process.exitCode = 1;
}
