import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { codeBlocks, PROJECT } from '../support/code-blocks.ts';
import { resultOf } from '../support/run-snippet.ts';
import { type Service, startService } from '../support/service.ts';

// Follows "In another repository" of docs/api.md, without the registry: the packages are copied from this repository.
const page = readFileSync(join(PROJECT, 'docs/api.md'), 'utf8');
const sectionStart = page.slice(0, page.indexOf('### In another repository')).split('\n').length;
const blocks = codeBlocks('docs/api.md').map((block) => ({
  ...block,
  inSection: Number(block.at.split(':')[1]) > sectionStart,
}));
const sectionBlock = (language: string) =>
  blocks.find((block) => block.inSection && block.language === language)?.code ?? '';
const example = blocks.find(({ language, output }) => language === 'ts' && output !== undefined);
const commands = sectionBlock('sh').trim().split('\n');
const packages = ['openapi-fetch', 'openapi-typescript-helpers', '@types/node', 'undici-types'];

let repository: string;
let service: Service;
beforeAll(async () => {
  repository = mkdtempSync(join(tmpdir(), 'another-repository-'));
  const copying = commands.filter((command) => !command.startsWith('npm ')).join('\n');
  run('sh', ['-ec', copying], { PLANT_STORE: PROJECT });
  for (const name of packages)
    cpSync(join(PROJECT, 'node_modules', name), join(repository, 'node_modules', name), { recursive: true });
  writeFileSync(join(repository, 'package.json'), '{"type":"module"}');
  writeFileSync(join(repository, 'tsconfig.json'), sectionBlock('json'));
  service = await startService();
}, 60_000);
afterAll(async () => {
  await service.stop();
  rmSync(repository, { recursive: true });
});

function run(command: string, args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const options = { cwd: repository, env: { ...process.env, ...env }, encoding: 'utf8' } as const;
  return spawnSync(command, args, options);
}

/** Compiles the example of the page, with the import of the section. */
function compile(alter = (code: string) => code) {
  const code = example?.code.replace(/^import .*\n/, sectionBlock('ts')) ?? '';
  writeFileSync(join(repository, 'main.ts'), alter(code));
  const { stdout, status } = run(process.execPath, [
    join(PROJECT, 'node_modules/@typescript/native/bin/tsc'),
  ]);
  return { stdout, status };
}

test('the copied client compiles with strict options in another repository, and creates a plant', async () => {
  expect(compile()).toEqual({ stdout: '', status: 0 });
  const env = { BASE_URL: service.emulator.url, ACCESS_TOKEN: service.token };
  // Not synchronously: the emulator runs in this process.
  const start = { language: 'sh', code: `cd "${repository}" && "${process.execPath}" dist/main.js` };
  const { exitCode, stdout, stderr } = await resultOf({ at: '', output: undefined, ...start }, env);
  expect({ exitCode, stdout, stderr }).toEqual({ exitCode: 0, stdout: example?.output, stderr: '' });
  await expect(service.stored(9007199254740993n)).resolves.toMatchObject({ name: 'Ficus' });
}, 120_000);

test('the copied client compiles neither with a number as the id nor with an unknown field', () => {
  const { stdout, status } = compile((code) =>
    code.replace(/id: (\d+)n, name/, 'id: $1, name').replace("name: 'Oak'", "nmae: 'Oak'"),
  );
  expect(stdout).toMatch(/'number' is not assignable to type 'bigint'/);
  expect(stdout).toMatch(/'nmae' does not exist/);
  expect(status).not.toBe(0);
}, 120_000);

test('docs/api.md installs the version of openapi-fetch that the client is tested with', () => {
  const { devDependencies } = JSON.parse(readFileSync(join(PROJECT, 'package.json'), 'utf8'));
  const version = devDependencies['openapi-fetch'];
  expect(commands).toContain(`npm install --save-exact openapi-fetch@${version}`);
});
