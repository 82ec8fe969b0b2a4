import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, test } from '@jest/globals';
import { temporaryFolder } from '../support/temporary-folder.ts';

const root = join(import.meta.dirname, '../..');
const project = temporaryFolder();

const EMULATOR = '@plant-store/emulator';

/** The forbidden and the allowed imports of each folder. */
const rules: Readonly<
  Record<string, { forbidden: readonly string[]; allowed: readonly string[] }>
> = {
  lambda: {
    forbidden: ['lib/names.ts', 'tools/tokens/cli.ts', EMULATOR],
    allowed: ['lambda/shared/tokens/x.ts'],
  },
  lib: {
    forbidden: ['bin/start.ts', 'tools/start/reload.ts', EMULATOR],
    allowed: ['lambda/shared/env.ts'],
  },
  bin: {
    forbidden: ['lambda/shared/env.ts', 'tools/emulator/json.ts'],
    allowed: ['tools/start/reload.ts', EMULATOR],
  },
  client: {
    forbidden: ['lib/names.ts', 'tools/tokens/cli.ts'],
    allowed: ['lambda/generated/openapi.ts'],
  },
  'tools/emulator': {
    forbidden: ['lib/names.ts', 'tools/tokens/cli.ts'],
    allowed: ['tools/emulator/json.ts'],
  },
};

test('npm run lint rejects the forbidden imports between folders, and no others', () => {
  const { vcs, files, ...config } = JSON.parse(readFileSync(join(root, 'biome.json'), 'utf8'));
  writeFileSync(join(project, 'biome.json'), JSON.stringify(config));
  for (const [folder, { forbidden, allowed }] of Object.entries(rules)) {
    mkdirSync(join(project, folder), { recursive: true });
    const imports = [...forbidden, ...allowed].map(
      (name) => `import '${specifier(folder, name)}';`,
    );
    writeFileSync(join(project, folder, 'planted.ts'), imports.join('\n'));
  }

  const command = ['lint', '--reporter=github', '--max-diagnostics=none', '.'];
  const biome = spawnSync(join(root, 'node_modules/.bin/biome'), command, {
    cwd: project,
    encoding: 'utf8',
  });

  const found = [
    ...biome.stdout.matchAll(
      /noRestrictedImports,file=[^,]*?((?:tools\/)?\w+\/planted\.ts),line=(\d+)/g,
    ),
  ];
  const expected = Object.entries(rules).flatMap(([folder, { forbidden }]) =>
    forbidden.map((_, index) => `${folder}/planted.ts:${index + 1}`),
  );
  expect(found.map(([, file, line]) => `${file}:${line}`).sort()).toEqual(expected.sort());
  expect(biome.status).toBe(1);
});

function specifier(folder: string, name: string): string {
  if (name === EMULATOR) return name;
  const path = relative(folder, name);
  return path.startsWith('.') ? path : `./${path}`;
}
