import { spawnSync } from 'node:child_process';
import { beforeAll, expect, test } from '@jest/globals';
import { copyProject } from '../support/edited-project.ts';

// Edits a copy of the project while a bundler of its own builds it.
const script = `
  import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
  import { createBundler, stopBundler } from './start/bundler.ts';

  const bundler = await createBundler(mkdtempSync(process.cwd() + '/builds-'));
  let last = await bundler.build();
  const read = (file) => readFileSync(file, 'utf8');
  const save = (file, content) => {
    writeFileSync(file, content);
    bundler.invalidate([process.cwd() + '/' + file]);
  };
  const changed = async () => {
    const before = last;
    last = await bundler.build(before);
    return last.filter((bundle) => !before.includes(bundle)).map(({ name }) => name);
  };
  const codeOf = (name) => read(last.find((bundle) => bundle.name === name).folder + '/function.cjs');
  const [entry, other] = ['lambda/create-plant/index.ts', 'lambda/authorize/handler.ts'];
  const [good, code] = [read(entry), read(other)];

  save(entry, good + '// Saved.');
  const changedByASource = await changed();
  save('lambda/index.mjs', read('lambda/index.mjs') + '// Saved.');
  const changedByTheLoader = await changed();

  save('lambda/added.ts', 'console.log("first");');
  save(entry, good + 'import "../added.ts";');
  const building = changed();
  bundler.invalidate([process.cwd() + '/lambda/added.ts']);
  await building;
  writeFileSync('lambda/added.ts', 'console.log("second");');
  await changed();
  const imported = codeOf('create-plant').includes('"second"');

  save(entry, good + 'const broken = ;');
  save(other, code + 'process.env.SAVED = "once";');
  const error = await changed().catch(({ message }) => message);
  save(entry, good);
  save(other, code + 'process.env.SAVED = "twice";');
  await changed();
  const repaired = codeOf('authorize').includes('SAVED = "twice"');

  console.log(JSON.stringify({ changedByASource, changedByTheLoader, imported, error, repaired }));
  await stopBundler();`;

let results: Record<string, unknown>;
beforeAll(() => {
  const project = copyProject();
  const args = ['--input-type=module', '-e', script];
  const { stdout } = spawnSync(process.execPath, args, {
    cwd: project.folder,
    encoding: 'utf8',
    timeout: 50_000,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  project.remove();
  results = JSON.parse(stdout);
});

test('the bundler builds the function again whose source is saved, and returns the others as they were', () => {
  expect(results.changedByASource).toEqual(['create-plant']);
});

test('the bundler builds every function again when its loader is saved', () => {
  expect(results.changedByTheLoader).toEqual(['create-plant', 'authorize', 'authorize-oidc']);
});

test('the bundler builds a function again that imports a file saved during its build', () => {
  expect(results.imported).toBe(true);
});

test('the bundler fails with a code frame, and then builds what is saved after it', () => {
  expect(results.error).toContain('│ const broken = ;');
  expect(results.repaired).toBe(true);
});
