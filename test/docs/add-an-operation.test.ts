import { execFile } from 'node:child_process';
import { cpSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, jest, test } from '@jest/globals';
import { PROJECT } from '../support/code-blocks.ts';
import { copyProject } from '../support/edited-project.ts';
import type { Json } from '../support/template-resources.ts';

// Half a minute on two cores that do nothing else.
jest.setTimeout(300_000);

const page = readFileSync(join(PROJECT, 'docs/add-an-operation.md'), 'utf8');
const copy = copyProject();
afterAll(copy.remove);

/** Runs a command of a package, by the path of its script. */
async function run(script: string, ...args: readonly string[]): Promise<void> {
  const command = promisify(execFile)(process.execPath, [script, ...args], { cwd: copy.folder });
  await command.catch(({ stdout, stderr }) => {
    throw new Error(`${[script, ...args].join(' ')} failed:\n${stdout}${stderr}`);
  });
}

function merge(into: Json, from: Json): void {
  for (const [key, value] of Object.entries<Json>(from)) {
    if (key in into) merge(into[key], value);
    else into[key] = value;
  }
}

/** Inserts lines below a row of a table, or at the end of a list, an object or an interface: before what is not indented. */
function insert(lines: string, name: string, file: string): void {
  const block = new RegExp(`^(export |const |\\|)[^\n]*\\b${name}( |:).*?\n(?=\\S)`, 'ms');
  const [found] = block.exec(copy.read(file)) ?? [`nothing named ${name}`];
  copy.edit(file, found, `${found}${lines.replaceAll(/^(?!\|)/gm, '  ')}\n`);
}

test('a copy of the repository with both operations of docs/add-an-operation.md passes their tests, the compiler and the linters', async () => {
  const openapi = JSON.parse(copy.read('openapi.json'));
  for (const operation of globSync('docs/add-an-operation/*', { cwd: PROJECT })) {
    for (const folder of ['lambda', 'test']) {
      cpSync(join(PROJECT, operation, folder), join(copy.folder, folder), { recursive: true });
    }
    merge(openapi, JSON.parse(copy.read(`${operation}/openapi.json`)));
  }
  copy.save('openapi.json', JSON.stringify(openapi));
  const edits = page.matchAll(/\b(?:end of|After) `([^`]+)` in `([^`]+)`[^\n]*\n\n```\w+\n(.*?)\n```/gs);
  for (const [, name = '', file = '', lines = ''] of edits) insert(lines, name, file);
  await run('node_modules/@biomejs/biome/bin/biome', 'format', '--write', 'openapi.json');
  await run('bin/generate.ts');

  const tests = [...page.matchAll(/`npm test -- ([^`]*)`/g)].flatMap(([, paths = '']) => paths.split(' '));
  expect(tests.length).toBeGreaterThan(8);
  await Promise.all([
    run('node_modules/@typescript/native/bin/tsc'),
    run('node_modules/@biomejs/biome/bin/biome', 'ci', '.'),
    run('node_modules/@redocly/cli/bin/cli.js', 'lint', 'openapi.json'),
    run('node_modules/jest/bin/jest.js', '--maxWorkers', '1', ...tests),
  ]);
});
