/** `npm run where`: prints the source line for a position in a deployed bundle. */
import { runCommand } from '../tools/operator/run-command.ts';
import { run } from '../tools/where/where.ts';

await runCommand('where', async () => console.log(await run(process.argv.slice(2), process.stdin)));
