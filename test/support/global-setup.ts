import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { synthesize } from '@plant-store/emulator';
import { UNTHROTTLED } from './synthesized-assembly.ts';

/** Synthesizes the app and bundles its functions once for all tests, in about a second. */
export default async function setUp(): Promise<void> {
  // The tests start hundreds of commands, so Node caches the compiled code.
  process.env.NODE_COMPILE_CACHE ??= join(tmpdir(), 'plant-store-compile-cache');
  const assembly = await mkdtemp(join(tmpdir(), 'plant-store-assembly-'));
  process.on('exit', () => rmSync(assembly, { recursive: true, force: true }));
  await synthesize({
    project: join(import.meta.dirname, '../..'),
    output: assembly,
    context: UNTHROTTLED,
  });
  process.env.PLANT_STORE_ASSEMBLY = assembly;
}
