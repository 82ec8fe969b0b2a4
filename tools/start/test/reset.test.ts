import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from '@jest/globals';
import { runScript } from '../../../test/support/project/run-command.ts';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { startTestEmulator } from '../../emulator/test/fixtures/emulator.ts';
import { stackOf } from '../../emulator/test/fixtures/resources.ts';

let parent: string;
let dataDir: string;
let folder: string;
beforeEach(() => {
  parent = temporaryFolder();
  dataDir = join(parent, 'data');
  folder = join(dataDir, 'dynamodb');
});

const reset = (args: readonly string[] = []) => runScript('reset', args, { DATA_DIR: dataDir });
const start = () => startTestEmulator(stackOf({}), { dataDir });

test('npm run reset names the data folder and deletes it, even if its data is damaged', async () => {
  await (await start()).stop();
  for (const name of readdirSync(folder))
    if (name.startsWith('MANIFEST')) writeFileSync(join(folder, name), 'garbage');
  const stdout = `Deleting all local plants and tokens: ${folder}\n`;
  expect(await reset()).toEqual({ code: 0, stdout, stderr: '' });
  expect(existsSync(folder)).toBe(false);
  expect(await reset()).toMatchObject({ code: 0, stdout: `Nothing is stored in ${dataDir}.\n` });
});

test('npm run reset deletes nothing while npm start is using the data, or with an argument', async () => {
  const emulator = await start();
  const [inUse, help] = [await reset(), await reset(['--help'])];
  await emulator.stop();
  expect([inUse.code, inUse.stderr]).toEqual([
    1,
    `reset: An emulator is using ${folder}, so nothing was deleted: stop the emulator first\n`,
  ]);
  expect([help.code, help.stderr]).toEqual([
    1,
    expect.stringMatching(/^reset: takes no arguments; .*DATA_DIR/),
  ]);
  expect(existsSync(join(folder, 'CURRENT'))).toBe(true);
});

test.each<[what: string, create: () => unknown]>([
  ['a folder with other files', () => mkdirSync(folder)],
  [
    'a folder that npm start used but did not create',
    async () => {
      mkdirSync(folder);
      await (await start()).stop();
    },
  ],
  ['a file', () => writeFileSync(folder, '')],
  ['a link that leads nowhere', () => symlinkSync('nowhere', folder)],
  [
    'a link to a folder that npm start created',
    async () => {
      await (await start()).stop();
      symlinkSync(folder, join(parent, 'dynamodb'));
      [dataDir, folder] = [parent, join(parent, 'dynamodb')];
    },
  ],
])('npm run reset does not delete or change %s named dynamodb', async (_, create) => {
  mkdirSync(dataDir);
  await create();
  const before = readdirSync(parent, { recursive: true });
  const { code, stdout, stderr } = await reset();
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(
    `reset: ${folder} was not created by the emulator, so nothing was deleted: `,
  );
  expect(readdirSync(parent, { recursive: true })).toEqual(before);
});
