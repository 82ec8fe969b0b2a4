/**
 * `npm run generate`: generates files from openapi.json. With `--check`, it writes nothing. Instead, it prints the name
 * of each file that is out of date, and fails if there is one.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ContractError } from '../tools/generate/contract.ts';
import { generatedFiles } from '../tools/generate/generated-files.ts';

const { check } = parseArgs({ options: { check: { type: 'boolean', default: false } } }).values;
const project = join(import.meta.dirname, '..');

const files = await generatedFiles(read('openapi.json')).catch((error: unknown) => {
  if (error instanceof ContractError) fail(error.message);
  if (error instanceof SyntaxError) {
    fail(`openapi.json is not valid JSON: ${error.message}; fix the syntax`);
  }
  throw error;
});

for (const name of readdirSync(join(project, 'lambda/generated'))) {
  if (`lambda/generated/${name}` in files) continue;
  fail(
    `openapi.json has no operation for lambda/generated/${name}; restore the operation, or delete the file`,
  );
}
for (const [path, content] of Object.entries(files)) {
  if (existsSync(join(project, path)) && read(path) === content) continue;
  if (check) {
    console.error(`${path} is out of date; run npm run generate`);
    process.exitCode = 1;
  } else {
    writeFileSync(join(project, path), content);
    console.log(`wrote ${path}`);
  }
}

function read(path: string): string {
  try {
    return readFileSync(join(project, path), 'utf8');
  } catch (error) {
    return fail(`${path} cannot be read (${error}); restore it, for example with git restore ${path}`);
  }
}

function fail(message: string): never {
  console.error(message);
  process.exit(1);
}
