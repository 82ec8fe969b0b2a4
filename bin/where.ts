/**
 * `npm run where -- function.cjs:26:13474`: prints the source line for a position in a deployed bundle. Without an
 * argument, it reads a log line from stdin. It rebuilds the bundles from this checkout, so check out the deployed
 * commit first.
 */
import { text } from 'node:stream/consumers';
import { where } from '../tools/where/where.ts';

const given = process.argv.slice(2).join(' ');
const { found, output } = where(given === '' ? await text(process.stdin) : given);
(found ? console.log : console.error)(output);
if (!found) process.exitCode = 1;
