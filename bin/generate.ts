/**
 * `npm run generate`: regenerates the files made from openapi.json. With `--check` it writes nothing,
 * and fails with the name of each file that is out of date.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ContractError } from '../tools/generate/contract.ts';
import { generatedFiles } from '../tools/generate/generated-files.ts';

const { check } = parseArgs({ options: { check: { type: 'boolean', default: false } } }).values;
const project = join(import.meta.dirname, '..');

const files = await generatedFiles(readFileSync(join(project, 'openapi.json'), 'utf8')).catch(
  (error: unknown) => {
    if (error instanceof ContractError) console.error(error.message);
    else if (error instanceof SyntaxError) {
      console.error(`openapi.json is not JSON: ${error.message}; fix it, and generate again`);
    } else throw error;
    process.exit(1);
  },
);

for (const [path, content] of Object.entries(files)) {
  const file = join(project, path);
  if (existsSync(file) && readFileSync(file, 'utf8') === content) continue;
  if (!check) {
    writeFileSync(file, content);
    console.log(`wrote ${path}`);
  } else {
    console.error(`${path} is out of date; run npm run generate`);
    process.exitCode = 1;
  }
}
