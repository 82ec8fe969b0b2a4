import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { expect, jest, test } from '@jest/globals';
import type { Json } from '../support/assembly/template-resources.ts';
import { copyProject, type EditedProject } from '../support/project/edited-project.ts';

// Each test runs most of the suite, which takes minutes.
jest.setTimeout(1_800_000);

const EMULATOR = 'packages/stack-emulator/package.json';

test('operations that are added as docs/add-an-operation.md says pass every test and the linters', () => {
  const copy = committedCopy();
  addOperation(copy, 'get-plant');
  addOperation(copy, 'create-order');
  recordTable(copy);
  shell(copy, 'npm run lint && npm run test:coverage && npm test');
});

test('a renamed project passes every test, and takes a later fix beside its own change', () => {
  const own = committedCopy();
  // npm ci would delete this project's packages through the link to them.
  shell(own, 'rm node_modules && npm ci --prefer-offline --no-audit');
  shell(own, commandsUnder(own, 'Rename the project'));
  expect(own.read('cdk.json')).toContain('garden-store');
  shell(own, 'git diff --exit-code main~ -- packages');
  shell(own, 'npm test');
  own.edit('README.md', '# Garden Store\n', '# Our Garden Store\n');
  shell(own, `git commit -qam 'Our change'`);

  const newer = committedCopy();
  newer.edit(
    'lib/plant-store-stack.ts',
    'The base URL of the API',
    'The fixed base URL of PlantStore',
  );
  const description = 'Runs one synthesized CDK stack';
  newer.edit(EMULATOR, description, `Fixed: ${description}`);
  shell(newer, `git commit -qam 'A fix'`);

  const take = commandsUnder(own, 'Take later fixes').replace('SOURCE', newer.folder);
  shell(own, take);
  expect(own.read('lib/garden-store-stack.ts')).toContain('The fixed base URL of GardenStore');
  expect(own.read(EMULATOR)).toContain(`Fixed: ${description}`);
  expect(own.read('README.md')).toContain('# Our Garden Store\n');
});

test('a project with createPlant replaced passes .ci/run, and works without the parts that can be left out', () => {
  const copy = committedCopy();
  addOperation(copy, 'create-order');
  recordTable(copy);
  shell(copy, `git add -A && git commit -qm 'Add createOrder'`);
  shell(copy, commandsUnder(copy, 'Replace createPlant', 0));
  deleteEntriesOfCreatePlant(copy);
  shell(copy, commandsUnder(copy, 'Replace createPlant', 1));
  shell(copy, `git add -A && git commit -qm 'Replace createPlant'`);

  // .ci/run installs the packages.
  shell(copy, 'rm node_modules');
  // Chromium's test still sends what createPlant expects.
  shell(copy, `perl -ni -e 'print unless /test:browser/' .ci/run package.json`);
  shell(copy, 'bash .ci/run');
  shell(copy, 'npm run synth && npm run synth -- -c stage=prod');

  shell(copy, commandsUnder(copy, 'Leave out parts'));
  shell(
    copy,
    'npm run format && npm run lint && npm test -- test/in-process test/template test/end-to-end tools/start',
  );
});

/** Copies the project into a repository of its own, because commands in the pages use Git and the suite reads the commit. */
function committedCopy(): EditedProject {
  const copy = copyProject();
  shell(
    copy,
    'git init -qb main && git config user.name Test && git config user.email a@example.com',
  );
  shell(copy, `git add . ':!node_modules' && git commit -qm Copy`);
  return copy;
}

function shell({ folder }: EditedProject, script: string): void {
  execFileSync('sh', ['-exc', script], { cwd: folder, stdio: 'inherit' });
}

/** Returns the commands in a section of docs/adopt.md: all, or those of one code block. */
function commandsUnder(copy: EditedProject, heading: string, block?: number): string {
  const section =
    copy
      .read('docs/adopt.md')
      .split(/^##+ /m)
      .find((each) => each.startsWith(`${heading}\n`)) ?? '';
  const blocks = [...section.matchAll(/```sh\n(.*?)```/gs)].map(([, commands = '']) => commands);
  const found = block === undefined ? blocks : blocks.slice(block, block + 1);
  expect(found).not.toEqual([]);
  return found.join('');
}

/** Deletes createPlant's entries in the lists, which docs/adopt.md names in words. */
function deleteEntriesOfCreatePlant(copy: EditedProject): void {
  const entries: readonly (readonly [file: string, entry: RegExp])[] = [
    ['lib/operations.ts', /^import .* createPlantMetrics .*\n/m],
    ['lib/operations.ts', / {2}createPlant: \{.*?\n {2}\},\n/s],
    ['lib/operations.ts', /, conflict(?= \})/],
    ['lib/tables.ts', / {2}\{\n {4}id: 'Plants'.*?\n {2}\},\n/s],
    ['lambda/shared/env.ts', / {2}readonly PLANTS_TABLE: string;\n/],
    ['lambda/shared/errors.ts', / {2}conflict: .*\n/],
    ['docs/errors.md', /\| 1004 .*\n/],
    ['tools/conformance/rows/index.ts', /^import \{ createPlant \}.*\n/m],
    ['tools/conformance/rows/index.ts', /\.\.\.createPlant,\s+/],
  ];
  for (const [file, entry] of entries)
    copy.edit(file, entry.exec(copy.read(file))?.[0] ?? `${entry}`, '');
  const { paths, components, tags: _, ...openapi } = JSON.parse(copy.read('openapi.json'));
  delete paths['/plants'];
  for (const name of ['Plant', 'NewPlant', 'PlantName', 'PlantTag'])
    delete components.schemas[name];
  delete components.responses.NotCreated.content['application/json'].examples['1004'];
  copy.save('openapi.json', JSON.stringify({ ...openapi, paths, components }));
}

/** Follows the steps of docs/add-an-operation.md for the operation in this folder. */
function addOperation(copy: EditedProject, name: string): void {
  const folder = `docs/add-an-operation/${name}`;
  for (const code of ['lambda', 'test'])
    cpSync(join(copy.folder, folder, code), join(copy.folder, code), { recursive: true });
  const openapi = JSON.parse(copy.read('openapi.json'));
  merge(openapi, JSON.parse(copy.read(`${folder}/openapi.json`)));
  copy.save('openapi.json', JSON.stringify(openapi));
  const sections = copy.read('docs/add-an-operation.md').split(/^## /m);
  const section = sections.find((each) => each.includes(`${folder}/`)) ?? '';
  const edits = section.matchAll(
    /\b(?:end of|row) `([^`]+)` in `([^`]+)`[^\n]*\n\n```\w+\n(.*?)\n```/gs,
  );
  for (const [, place = '', file = '', lines = ''] of edits) insert(copy, lines, place, file);
  shell(copy, 'npm run format && npm run generate');
}

function merge(into: Json, from: Json): void {
  for (const [key, value] of Object.entries<Json>(from)) {
    if (key in into) merge(into[key], value);
    else into[key] = value;
  }
}

/** Adds the line for the table of the orders that the test prints, as the page says. */
function recordTable(copy: EditedProject): void {
  const [command = ''] =
    /(?<=For a new table, run `)[^`]+/.exec(copy.read('docs/add-an-operation.md')) ?? [];
  const { stderr } = spawnSync('sh', ['-c', command], { cwd: copy.folder, encoding: 'utf8' });
  const [line = 'the line'] = /"Orders[0-9A-F]{8}": .*,$/m.exec(stderr) ?? [];
  const list = '"every stage": {';
  copy.edit('test/template/stateful-resources.json', list, `${list}\n    ${line}`);
}

/** Inserts lines above a table row, or at the end of an array, object or interface. */
function insert(copy: EditedProject, lines: string, name: string, file: string): void {
  const block = new RegExp(`^(export |const |\\|)[^\n]*\\b${name}( |:).*?\n(?=\\S)`, 'ms');
  const [found] = block.exec(copy.read(file)) ?? [`nothing named ${name}`];
  const text = lines.startsWith('|')
    ? `${lines}\n${found}`
    : `${found}${lines.replaceAll(/^/gm, '  ')}\n`;
  copy.edit(file, found, text);
}
