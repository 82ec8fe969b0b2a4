import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';

const root = join(import.meta.dirname, '../..');
const project = mkdtempSync(join(tmpdir(), 'plant-store-layers-'));
afterAll(() => rmSync(project, { recursive: true }));

/** What a folder must not import, and what it may. */
const rules: Readonly<Record<string, { forbidden: readonly string[]; allowed: readonly string[] }>> = {
  lambda: {
    forbidden: ['lib/names', 'tokens/cli', 'emulator/index'],
    allowed: ['shared/tokens/access-token'],
  },
  lib: { forbidden: ['bin/start', 'start/watch', 'emulator/index'], allowed: ['lambda/shared/tokens/x'] },
  bin: { forbidden: ['lambda/shared/env', 'emulator/json'], allowed: ['start/watch', 'emulator/index'] },
  emulator: { forbidden: ['lib/names', 'lambda/shared/env', 'tokens/cli'], allowed: ['template/template'] },
  start: { forbidden: ['conformance/run', 'emulator/json'], allowed: ['tokens/cli', 'lib/names'] },
  tokens: { forbidden: ['start/watch', 'conformance/run'], allowed: ['emulator/index', 'lib/names'] },
  conformance: { forbidden: ['start/watch', 'emulator/json'], allowed: ['tokens/cli', 'lib/names'] },
  scripts: { forbidden: ['start/watch', 'emulator/json'], allowed: ['tokens/cli', 'conformance/run'] },
  client: { forbidden: ['lib/names', 'tokens/cli'], allowed: ['lambda/generated/openapi'] },
};

test('npm run lint rejects each import against the one direction, and no other', () => {
  const { vcs, files, ...config } = JSON.parse(readFileSync(join(root, 'biome.json'), 'utf8'));
  writeFileSync(join(project, 'biome.json'), JSON.stringify(config));
  for (const [folder, { forbidden, allowed }] of Object.entries(rules)) {
    mkdirSync(join(project, folder));
    const imports = [...forbidden, ...allowed].map((name) => `import '../${name}.ts';`);
    writeFileSync(join(project, folder, 'planted.ts'), imports.join('\n'));
  }

  const command = ['lint', '--reporter=github', '--max-diagnostics=none', '.'];
  const biome = spawnSync(join(root, 'node_modules/.bin/biome'), command, { cwd: project, encoding: 'utf8' });

  const found = [...biome.stdout.matchAll(/noRestrictedImports,file=[^,]*?(\w+\/planted\.ts),line=(\d+)/g)];
  const expected = Object.entries(rules).flatMap(([folder, { forbidden }]) =>
    forbidden.map((_, index) => `${folder}/planted.ts:${index + 1}`),
  );
  expect(found.map(([, file, line]) => `${file}:${line}`).sort()).toEqual(expected.sort());
  expect(biome.status).toBe(1);
});
