/**
 * `npm run generate`: regenerates the files made from openapi.json. With `--check` it writes nothing,
 * and fails with the name of each file that is out of date.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { generatedFiles } from '../tools/generate/generated-files.ts';

const { check } = parseArgs({ options: { check: { type: 'boolean', default: false } } }).values;

const files = await generatedFiles().catch((error: unknown) => {
  if (!(error instanceof SyntaxError)) throw error;
  console.error(`openapi.json is not JSON: ${error.message}; fix it, and generate again`);
  process.exit(1);
});

for (const [path, content] of Object.entries(files)) {
  const file = join(import.meta.dirname, '..', path);
  if (!check) {
    writeFileSync(file, content);
    console.log(`wrote ${path}`);
  } else if (!existsSync(file) || readFileSync(file, 'utf8') !== content) {
    console.error(`${path} is out of date; run npm run generate`);
    process.exitCode = 1;
  }
}
