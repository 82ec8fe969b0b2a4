import { spawnSync } from 'node:child_process';
import { afterAll, expect, test } from '@jest/globals';
import { copyProject } from '../support/edited-project.ts';

const project = copyProject();
afterAll(() => project.remove());

/** Runs code with a bundler of the copy, a function that saves and one that reads what has been built. */
function run(code: string): string {
  const script = `
    import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
    import { setTimeout as sleep } from 'node:timers/promises';
    import { createBundler, stopBundler } from './start/bundler.ts';
    const bundler = await createBundler(mkdtempSync('${project.folder}/builds-'));
    await bundler.build();
    const save = (file, content) => {
      writeFileSync(file, content);
      bundler.invalidate([process.cwd() + '/' + file]);
    };
    const codeOf = async (name) => {
      const { folder } = (await bundler.build()).find((bundle) => bundle.name === name);
      return readFileSync(folder + '/function.cjs', 'utf8');
    };
    ${code}
    await stopBundler();`;
  const args = ['--input-type=module', '-e', script];
  const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: project.folder, encoding: 'utf8' });
  return stdout + stderr;
}

test('the bundler builds a function again that imports a file saved during its build', () => {
  const printed = run(`
    const entry = 'lambda/create-plant/index.ts';
    save('lambda/added.ts', 'console.log("first");');
    save(entry, readFileSync(entry, 'utf8') + 'import "../added.ts";');
    const building = bundler.build();
    await sleep(30);
    save('lambda/added.ts', 'console.log("second");');
    await building;
    console.log((await codeOf('create-plant')).includes('"second"'));`);
  expect(printed).toBe('true\n');
});

test('the bundler builds a function again that is saved when the build of another has failed', () => {
  const printed = run(`
    const [broken, other] = ['lambda/create-plant/create-plant.ts', 'lambda/authorize/handler.ts'];
    const [good, code] = [broken, other].map((file) => readFileSync(file, 'utf8'));
    save(broken, good + 'const broken = ;');
    save(other, code + 'process.env.SAVED = "yes";');
    await bundler.build().catch((error) => console.log(error.message.includes('const broken = ;')));
    save(broken, good);
    save(other, code + 'process.env.SAVED = "again";');
    console.log((await codeOf('authorize')).includes('SAVED = "again"'));`);
  expect(printed).toBe('true\ntrue\n');
});

test('the bundler keeps the bundles that have not changed', () => {
  const printed = run(`
    const before = await bundler.build();
    save('lambda/create-plant/create-plant.ts', readFileSync('lambda/create-plant/create-plant.ts', 'utf8') + 'process.env.A = "1";');
    const after = await bundler.build(before);
    console.log(after.filter((bundle) => !before.includes(bundle)).map(({ name }) => name).join());
    save('lambda/index.mjs', readFileSync('lambda/index.mjs', 'utf8') + '// Saved.');
    console.log((await bundler.build(after)).filter((bundle) => after.includes(bundle)).length);`);
  expect(printed).toBe('create-plant\n0\n');
});
