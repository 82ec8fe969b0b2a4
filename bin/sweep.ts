/** `npm run sweep`: deletes each pull request's stage if nobody has deployed it for a day. */
import { sweep } from '../tools/pipeline/sweep.ts';
import { runCommand } from '../tools/tokens/run-command.ts';

await runCommand('sweep', () => sweep(process.argv.slice(2)));
