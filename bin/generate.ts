/**
 * `npm run generate`: generates files from openapi.json. With `--check`, it writes nothing. Instead, it prints the name
 * of each file that is out of date, and fails if there is one.
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { updateFiles } from '../tools/generate/generated-files.ts';
import { reportFailure } from '../tools/operator/run-command.ts';

const { check } = parseArgs({ options: { check: { type: 'boolean', default: false } } }).values;
await updateFiles(join(import.meta.dirname, '..'), check).catch(reportFailure);
