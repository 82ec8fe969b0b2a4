import { execFileSync } from 'node:child_process';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, jest, test } from '@jest/globals';
import { copyProject, type EditedProject } from '../support/edited-project.ts';
import type { Json } from '../support/template-resources.ts';

// Each test runs most of the suite, which takes minutes.
jest.setTimeout(1_800_000);

let copy: EditedProject;
beforeEach(() => {
  copy = copyProject();
  // Commands in the pages use Git, and the suite reads the commit.
  shell('git init -q && git add . && git -c user.name=Test -c user.email=test@example.com commit -qm Copy');
});
afterEach(() => copy.remove());

test('docs/add-an-operation.md adds operations to a copy, which then passes every test and the linters', () => {
  addOperations('get-plant', 'create-order');
  lint();
  run('jest/bin/jest.js', '--selectProjects', 'in-process', '--coverage');
  run('jest/bin/jest.js', '--selectProjects', 'template', 'service');
});

function shell(script: string): void {
  execFileSync('sh', ['-ec', script], { cwd: copy.folder, stdio: 'inherit' });
}

/** Runs a script of a package. */
function run(script: string, ...args: readonly string[]): void {
  execFileSync(process.execPath, [`node_modules/${script}`, ...args], { cwd: copy.folder, stdio: 'inherit' });
}

function lint(): void {
  run('@typescript/native/bin/tsc');
  run('@biomejs/biome/bin/biome', 'ci', '.');
  run('@redocly/cli/bin/cli.js', 'lint', 'openapi.json');
}

/** Follows docs/add-an-operation.md for the operations in these folders. */
function addOperations(...names: readonly string[]): void {
  const openapi = JSON.parse(copy.read('openapi.json'));
  for (const name of names) {
    const folder = `docs/add-an-operation/${name}`;
    cpSync(join(copy.folder, folder), copy.folder, { recursive: true });
    merge(openapi, JSON.parse(copy.read(`${folder}/openapi.json`)));
    const sections = copy.read('docs/add-an-operation.md').split(/^## /m);
    const section = sections.find((each) => each.includes(`${folder}/`)) ?? '';
    const edits = section.matchAll(/\b(?:end of|After) `([^`]+)` in `([^`]+)`[^\n]*\n\n```\w+\n(.*?)\n```/gs);
    for (const [, place = '', file = '', lines = ''] of edits) insert(lines, place, file);
  }
  copy.save('openapi.json', JSON.stringify(openapi));
  run('@biomejs/biome/bin/biome', 'format', '--write', 'openapi.json');
  execFileSync(process.execPath, ['bin/generate.ts'], { cwd: copy.folder });
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
