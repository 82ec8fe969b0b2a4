/**
 * `npm run generate`: generates files from openapi.json. With `--check`, it writes nothing. Instead, it prints the name
 * of each file that is out of date, and fails if there is one.
 */
import { UserError } from 'stack-emulator';
import { reportFailure } from '../tools/command-line/run-command.ts';
import { updateFiles } from '../tools/generate/generated-files.ts';

const args = process.argv.slice(2);
if (args.every((arg) => arg === '--check')) {
  await updateFiles(args.length > 0).catch(reportFailure);
} else {
  reportFailure(new UserError(`Expected --check or no arguments, got ${args.join(' ')}`));
}
