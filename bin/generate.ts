/** `npm run generate`: generates files from openapi.json. */
import { reportFailure } from '../tools/command-line/run-command.ts';
import { updateFiles } from '../tools/generate/generated-files.ts';

const HELP = `npm run generate               writes the files in lambda/generated/ that openapi.json has changed
npm run generate -- --check    writes nothing; names each file that is out of date, and fails if there is one
npm run generate -- --help     prints this text`;

const args = process.argv.slice(2);
if (args[0] === '--help') {
  console.log(HELP);
} else if (args.every((arg) => arg === '--check')) {
  await updateFiles(args.length > 0).catch(reportFailure);
} else {
  console.error(`generate: expected --check, --help or no arguments, got ${args.join(' ')}`);
  process.exitCode = 1;
}
