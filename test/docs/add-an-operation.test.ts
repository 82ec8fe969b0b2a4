import { execFileSync } from 'node:child_process';
import { cpSync, globSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, jest, test } from '@jest/globals';
import { copyProject } from '../support/edited-project.ts';
import type { Json } from '../support/template-resources.ts';

// Runs the whole suite, which takes minutes.
jest.setTimeout(1_800_000);

const copy = copyProject();
const page = copy.read('docs/add-an-operation.md');
afterAll(copy.remove);

/** Runs a script, whose output appears in this test's output. */
function run(script: string, ...args: readonly string[]): void {
  execFileSync(process.execPath, [script, ...args], { cwd: copy.folder, stdio: 'inherit' });
}

function merge(into: Json, from: Json): void {
  for (const [key, value] of Object.entries<Json>(from)) {
    if (key in into) merge(into[key], value);
    else into[key] = value;
  }
}

/** Inserts lines below a table row, or at the end of an array, object or interface. */
function insert(lines: string, name: string, file: string): void {
  const block = new RegExp(`^(export |const |\\|)[^\n]*\\b${name}( |:).*?\n(?=\\S)`, 'ms');
  const [found] = block.exec(copy.read(file)) ?? [`nothing named ${name}`];
  copy.edit(file, found, `${found}${lines.replaceAll(/^(?!\|)/gm, '  ')}\n`);
}

test('a copy of the repository with both operations from docs/add-an-operation.md passes every test and the linters', () => {
  const openapi = JSON.parse(copy.read('openapi.json'));
  for (const operation of globSync('docs/add-an-operation/*', { cwd: copy.folder })) {
    cpSync(join(copy.folder, operation), copy.folder, { recursive: true });
    merge(openapi, JSON.parse(copy.read(`${operation}/openapi.json`)));
  }
  copy.save('openapi.json', JSON.stringify(openapi));
  const edits = page.matchAll(/\b(?:end of|After) `([^`]+)` in `([^`]+)`[^\n]*\n\n```\w+\n(.*?)\n```/gs);
  for (const [, name = '', file = '', lines = ''] of edits) insert(lines, name, file);
  run('node_modules/@biomejs/biome/bin/biome', 'format', '--write', 'openapi.json');
  run('bin/generate.ts');
  // The suite reads the commit of the repository.
  for (const args of ['init -q', 'add .', '-c user.name=Test -c user.email=test@example.com commit -qm Copy'])
    execFileSync('git', args.split(' '), { cwd: copy.folder });

  run('node_modules/@typescript/native/bin/tsc');
  run('node_modules/@biomejs/biome/bin/biome', 'ci', '.');
  run('node_modules/@redocly/cli/bin/cli.js', 'lint', 'openapi.json');
  run('node_modules/jest/bin/jest.js', '--selectProjects', 'in-process', '--coverage');
  run('node_modules/jest/bin/jest.js', '--selectProjects', 'template', 'service');
});
