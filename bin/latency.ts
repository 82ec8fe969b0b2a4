/** `npm run latency -- --stage STAGE`: creates plants one after the other, and prints how long the responses took. */
import { latency } from '../tools/conformance/latency.ts';
import { runCommand } from '../tools/tokens/run-command.ts';

await runCommand('latency', latency);
