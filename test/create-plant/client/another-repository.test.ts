import { spawn, spawnSync } from 'node:child_process';
import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import { codeBlocks, PROJECT, read } from '../../support/pages/code-blocks.ts';
import { outcomeOf } from '../../support/project/run-command.ts';
import { startScriptedServer } from '../../support/servers/scripted-server.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

// Follows "TypeScript" in docs/api.md, but copies the packages instead of installing them.
const blocks = codeBlocks('docs/api.md');
const example = blocks.find(({ language }) => language === 'ts');
const tsconfig = blocks.find(({ language }) => language === 'json')?.code ?? '';
const commands =
  blocks
    .findLast(({ language }) => language === 'sh')
    ?.code.trim()
    .split('\n') ?? [];
const packages = ['openapi-fetch', 'openapi-typescript-helpers', '@types/node', 'undici-types'];

/** Code with two type errors: an id that is a number, which could be rounded, and an unknown field. */
const WRONG = `
import { plantStore } from './plant-store/client/plant-store.ts';
const store = plantStore({ baseUrl: '', accessToken: '' });
// @ts-expect-error
export const rounded = store.POST('/plants', { body: { id: 1, name: 'Oak' } });
// @ts-expect-error
export const misspelled = store.POST('/plants', { body: { id: 1n, nmae: 'Oak' } });
`;

const repository = temporaryFolder();
beforeAll(() => {
  const copying = commands.filter((command) => !command.startsWith('npm ')).join('\n');
  spawnSync('sh', ['-ec', copying], {
    cwd: repository,
    env: { ...process.env, PLANT_STORE: PROJECT },
  });
  for (const name of packages)
    cpSync(join(PROJECT, 'node_modules', name), join(repository, 'node_modules', name), {
      recursive: true,
    });
  writeFileSync(join(repository, 'package.json'), '{"type":"module"}');
  writeFileSync(join(repository, 'tsconfig.json'), tsconfig);
  writeFileSync(join(repository, 'main.ts'), `${example?.code}`);
  writeFileSync(join(repository, 'wrong.ts'), WRONG);
});

test('the client compiles in another repository, rejects unknown fields and number ids, sends exact ids', async () => {
  const tsc = join(PROJECT, 'node_modules/@typescript/native/bin/tsc');
  const { stdout: errors } = spawnSync(process.execPath, [tsc, '--skipDefaultLibCheck'], {
    cwd: repository,
    encoding: 'utf8',
  });
  expect(errors).toBe('');

  const server = await startScriptedServer(
    { status: 200, body: '{"name":"Ficus"}' },
    { status: 400, body: '{"error":1004,"message":"another plant has this id"}' },
  );
  const { PATH } = process.env;
  const running = spawn(process.execPath, [join(repository, 'dist/main.js')], {
    env: { PATH, BASE_URL: server.url, ACCESS_TOKEN: 'token' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const printed = { code: 0, stdout: example?.output, stderr: '' };
  await expect(outcomeOf(running)).resolves.toEqual(printed);
  expect(server.requests[0]?.body).toBe('{"id":9007199254740993,"name":"Ficus","tag":"indoor"}');
});

test('docs/api.md tells users to install the version of openapi-fetch that the client is tested with', () => {
  const { devDependencies } = JSON.parse(read('package.json'));
  const version = devDependencies['openapi-fetch'];
  expect(commands).toContain(`npm install --save-exact openapi-fetch@${version}`);
});
