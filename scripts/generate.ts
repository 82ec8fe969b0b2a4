/**
 * `npm run generate`: writes everything that is made from openapi.json again. With `--check` it writes
 * nothing and fails, naming the file, where one isn't what it should be.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { generatedFiles } from './generated-files.ts';

const { check } = parseArgs({ options: { check: { type: 'boolean', default: false } } }).values;

for (const [path, content] of Object.entries(await generatedFiles())) {
  const file = join(import.meta.dirname, '..', path);
  if (!check) {
    writeFileSync(file, content);
    console.log(`wrote ${path}`);
  } else if (readFileSync(file, 'utf8') !== content) {
    console.error(`${path} is not what openapi.json gives: run npm run generate`);
    process.exitCode = 1;
  }
}
