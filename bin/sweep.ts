/** `npm run sweep`: deletes the stages of pull requests that nobody has deployed for a day. */
import { sweep } from '../tools/pipeline/sweep.ts';
import { runCommand } from '../tools/tokens/run-command.ts';

await runCommand('sweep', () => sweep(process.argv.slice(2)));
