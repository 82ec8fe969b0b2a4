/** `npm run sweep`: deletes the stage of each pull request if the stage has not been deployed for a day. */
import { sweep } from '../tools/pipeline/sweep.ts';
import { runCommand } from '../tools/tokens/run-command.ts';

await runCommand('sweep', () => sweep(process.argv.slice(2)));
