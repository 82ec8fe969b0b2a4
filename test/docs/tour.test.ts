import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { buildSync } from 'esbuild';
import { PROJECT } from '../support/code-blocks.ts';

const tour = readFileSync(join(PROJECT, 'docs/tour.md'), 'utf8');

test.each(['create-plant', 'authorize'])('the tour passes every file that %s runs', (name) => {
  const { metafile } = buildSync({
    absWorkingDir: PROJECT,
    entryPoints: [`lambda/${name}/handler.ts`],
    bundle: true,
    write: false,
    metafile: true,
    platform: 'node',
    packages: 'external',
  });
  const missing = Object.keys(metafile.inputs).filter((file) => !tour.includes(`[${file}](../${file})`));
  expect(missing).toEqual([]);
});
