/** `npm start`: runs the whole service on this machine until Ctrl-C. */
import { reportFailure } from '../tools/command-line/run-command.ts';
import { HELP } from '../tools/start/introduction.ts';
import { type RunningService, startService } from '../tools/start/service.ts';

const args = process.argv.slice(2);
if (args.includes('--help')) {
  console.log(HELP);
  process.exit();
}
// Keeps the emulator running if its output cannot be written. Ctrl-C in `npm start | tee plant-store.log` ends tee
// first, and a terminal can be closed; in both cases, nobody could read an error message.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
const interrupted = new Promise<void>((resolve) => {
  // A closed terminal sends SIGHUP twice, and npm passes on a Ctrl-C that this process gets too.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => resolve());
});
let service: RunningService | undefined;
try {
  service = startService(args, process.env);
  process.exitCode = await Promise.race([interrupted.then(() => 0), service.stopped.then(() => 1)]);
  console.error('\nStopping …');
} catch (error) {
  reportFailure(error);
} finally {
  await service?.stop();
}
// Exiting also ends anything that was still starting.
process.exit();
