/** `npm run sweep`: deletes the stage of each pull request if the stage has not been deployed for a day. */

import { runCommand } from '../tools/operator/run-command.ts';
import { sweep } from '../tools/pipeline/sweep.ts';

await runCommand('sweep', () => sweep(process.argv.slice(2)));
