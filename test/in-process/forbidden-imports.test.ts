import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { PROJECT, read } from '../support/pages/code-blocks.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const project = temporaryFolder();

/** The imports that the overrides in biome.json reject in a file in each folder, and imports that they accept. */
const rules: readonly [folder: string, rejected: readonly string[], accepted: readonly string[]][] =
  [
    ['lambda', ['../lib/outputs.ts', '../tools/json.ts', 'stack-emulator'], ['./x.ts']],
    ['lib', ['../bin/start.ts', '../tools/x.ts', 'stack-emulator'], ['../lambda/x.ts']],
    ['bin', ['../lambda/x.ts', '../packages/x/index.ts'], ['../tools/x.ts', 'stack-emulator']],
    ['client', ['../lib/outputs.ts', '../tools/json.ts'], ['../lambda/generated/openapi.ts']],
    ['tools/start', ['../../packages/x/index.ts'], ['../../lib/outputs.ts', 'stack-emulator']],
    ['packages/x', ['../../lib/outputs.ts', '../../tools/json.ts'], ['./json.ts']],
    ['packages/x/test', ['../../../test/support/x.ts'], ['../index.ts', './fixtures/x.ts']],
  ];

test('npm run lint rejects the forbidden imports between folders, and no others', () => {
  const { vcs, files, ...config } = JSON.parse(read('biome.json'));
  writeFileSync(join(project, 'biome.json'), JSON.stringify(config));
  for (const [folder, rejected, accepted] of rules) {
    mkdirSync(join(project, folder), { recursive: true });
    const lines = [...rejected, ...accepted].map((name) => `import '${name}';`);
    writeFileSync(join(project, folder, 'planted.ts'), lines.join('\n'));
  }

  const command = ['lint', '--reporter=github', '--max-diagnostics=none', '.'];
  const { stdout } = spawnSync(join(PROJECT, 'node_modules/.bin/biome'), command, {
    cwd: project,
    encoding: 'utf8',
  });

  const found = stdout
    .replaceAll(`file=${project}/`, 'file=')
    .matchAll(/^::error .*noRestrictedImports,file=(\S+)\/planted\.ts,line=(\d+)/gm);
  const expected = rules.flatMap(([folder, rejected]) =>
    rejected.map((_, index) => `${folder} ${index + 1}`),
  );
  expect([...found].map(([, folder, line]) => `${folder} ${line}`).sort()).toEqual(expected.sort());
});
