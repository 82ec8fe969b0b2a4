/** `npm start`: runs the whole service on this machine until Ctrl-C. */
import { reportFailure } from '../tools/command-line/run-command.ts';
import { HELP, runService } from '../tools/start/run-service.ts';

const args = process.argv.slice(2);
if (args.includes('--help')) {
  console.log(HELP);
} else {
  await runService(args, process.env).catch(reportFailure);
}
// Exiting also ends anything that was still starting.
process.exit();
