import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { synthesizedAssembly } from '../../../test/support/synthesized-assembly.ts';
import { compareBehavior } from '../behavior.ts';
import { startDynamoDB } from '../dynamodb.ts';
import { Probe } from '../measure.ts';
import { buildVariants, KINDS } from '../variants.ts';

test('all variants that npm run bench measures respond and log in the same way', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'plant-store-bench-'));
  const dynamodb = await startDynamoDB(folder);
  try {
    const probe = new Probe(folder, dynamodb);
    for (const kind of KINDS)
      expect(
        compareBehavior(kind, buildVariants(kind, synthesizedAssembly(), folder), probe),
      ).toBeGreaterThan(0);
  } finally {
    dynamodb.stop();
    rmSync(folder, { recursive: true });
  }
});
