/** `npm run generate`: generates files from openapi.json. */
import { reportFailure } from '../tools/command-line/run-command.ts';
import { updateFiles } from '../tools/generate/generated-files.ts';

const args = process.argv.slice(2);
if (args.every((arg) => arg === '--check')) {
  await updateFiles(args.includes('--check')).catch(reportFailure);
} else {
  console.error(
    `generate: expected no arguments, or --check to only name the files that are out of date, got ${args.join(' ')}`,
  );
  process.exitCode = 1;
}
