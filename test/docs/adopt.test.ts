import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, symlinkSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, jest, test } from '@jest/globals';
import { PROJECT } from '../support/code-blocks.ts';
import { copyProject, type EditedProject } from '../support/edited-project.ts';
import type { Json } from '../support/template-resources.ts';

// Each test runs most of the suite, which takes minutes.
jest.setTimeout(1_800_000);

let copy: EditedProject;
beforeEach(() => {
  copy = copyProject();
  // Commands in the pages use Git, and the suite reads the commit.
  shell(
    "git init -q && git add . ':!node_modules' && git -c user.name=Test -c user.email=test@example.com commit -qm Copy",
  );
});
afterEach(() => copy.remove());

test('docs/add-an-operation.md adds operations to a copy, which then passes every test and the linters', () => {
  addOperations('get-plant', 'create-order');
  lint();
  run('jest/bin/jest.js', '--selectProjects', 'in-process', '--coverage');
  run('jest/bin/jest.js', '--selectProjects', 'template', 'service');
});

test('the copy passes the linters and every test of handlers and templates when it is renamed as CONTRIBUTING.md says', () => {
  const [rename = ''] = commandsOfContributing();
  shell(rename.replace(/^npm install.*$/m, ''));
  linkPackages('@garden-store');
  run('@biomejs/biome/bin/biome', 'check', '--write');
  generate();
  lint();
  run('jest/bin/jest.js', '--selectProjects', 'in-process', 'template');
});

test('the copy passes the linters, synthesis and the rest of the tests when createPlant is replaced as CONTRIBUTING.md says', () => {
  addOperations('create-order');
  const [, remove = ''] = commandsOfContributing();
  shell(remove);
  for (const [file, part] of partsOfCreatePlant)
    copy.edit(file, part.exec(copy.read(file))?.[0] ?? `${part}`, '');
  const { paths, components, tags: _, ...openapi } = JSON.parse(copy.read('openapi.json'));
  delete paths['/plants'];
  for (const name of ['Plant', 'NewPlant', 'PlantName', 'PlantTag']) delete components.schemas[name];
  delete components.responses.NotCreated.content['application/json'].examples['1004'];
  copy.save('openapi.json', JSON.stringify({ ...openapi, paths, components }));
  run('@biomejs/biome/bin/biome', 'check', '--write');
  generate();
  lint();
  for (const stage of ['dev', 'prod']) run('aws-cdk/bin/cdk', 'synth', '--quiet', '-c', `stage=${stage}`);
  run('jest/bin/jest.js');
});

/** createPlant's parts of the lists, which CONTRIBUTING.md names in words. The project does not compile if one is left. */
const partsOfCreatePlant: readonly (readonly [file: string, part: RegExp])[] = [
  ['lib/operations.ts', / {2}\{\n {4}operationId: 'createPlant'.*?\n {2}\},\n/s],
  ['lib/operations.ts', /, conflict(?= \})/],
  ['lib/tables.ts', / {2}\{\n {4}name: 'plants'.*?\n {2}\},\n/s],
  ['lib/plant-store-stack.ts', / {6}\[OUTPUTS\.plantsTable\]: .*\n/],
  ['lambda/shared/env.ts', / {2}readonly PLANTS_TABLE: string;\n/],
  ['lambda/shared/errors.ts', / {2}conflict: .*\n/],
  ['docs/errors.md', /\| 1004 .*\n/],
  ['lambda/pre-traffic/probes.ts', /^const createPlantProbes.*?^\];\n/ms],
  ['lambda/pre-traffic/probes.ts', / {2}'create-plant': .*\n/],
];

/** Returns the scripts in CONTRIBUTING.md that rename the project and that delete createPlant. */
function commandsOfContributing(): string[] {
  const [, section = ''] = copy.read('CONTRIBUTING.md').split('## Make it yours');
  return [...section.matchAll(/```sh\n(.*?)```/gs)].map(([, script = '']) => script);
}

/** Links the emulator under its new name, as `npm install` does. */
function linkPackages(scope: string): void {
  const packages = join(copy.folder, 'node_modules');
  unlinkSync(packages);
  mkdirSync(join(packages, scope), { recursive: true });
  for (const name of readdirSync(join(PROJECT, 'node_modules')))
    symlinkSync(join(PROJECT, 'node_modules', name), join(packages, name));
  symlinkSync('../../tools/emulator', join(packages, scope, 'emulator'));
}

function generate(): void {
  execFileSync(process.execPath, ['bin/generate.ts'], { cwd: copy.folder });
}

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
    const edits = section.matchAll(/\b(?:end of|row) `([^`]+)` in `([^`]+)`[^\n]*\n\n```\w+\n(.*?)\n```/gs);
    for (const [, place = '', file = '', lines = ''] of edits) insert(lines, place, file);
  }
  copy.save('openapi.json', JSON.stringify(openapi));
  run('@biomejs/biome/bin/biome', 'format', '--write', 'openapi.json');
  generate();
}

function merge(into: Json, from: Json): void {
  for (const [key, value] of Object.entries<Json>(from)) {
    if (key in into) merge(into[key], value);
    else into[key] = value;
  }
}

/** Inserts lines above a table row, or at the end of an array, object or interface. */
function insert(lines: string, name: string, file: string): void {
  const block = new RegExp(`^(export |const |\\|)[^\n]*\\b${name}( |:).*?\n(?=\\S)`, 'ms');
  const [found] = block.exec(copy.read(file)) ?? [`nothing named ${name}`];
  const text = lines.startsWith('|') ? `${lines}\n${found}` : `${found}${lines.replaceAll(/^/gm, '  ')}\n`;
  copy.edit(file, found, text);
}
