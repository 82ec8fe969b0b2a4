/** `npm run where`: prints the source line for a position in a deployed bundle. Help: `npm run where -- --help`. */
import { text } from 'node:stream/consumers';
import { where } from '../tools/where/where.ts';

const HELP = `Prints the source line for a position in a deployed bundle. Without an argument, reads a log line from stdin.

  npm run where -- function.cjs:26:13474
  npm run where < line-from-the-log.json

Rebuilds the bundles from this checkout, so check out the deployed commit first.`;

const given = process.argv.slice(2).join(' ');
if (given === '--help') console.log(HELP);
else {
  const { found, output } = where(given === '' ? await text(process.stdin) : given);
  (found ? console.log : console.error)(output);
  if (!found) process.exitCode = 1;
}
