import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { synthesize } from 'stack-emulator';
import { FUNCTION_NAMES } from '../../../lib/functions/function-names.ts';
import { buildFunctions, synthesizedAssembly } from '../assembly/synthesized-assembly.ts';

interface GlobalConfig {
  /** What the command line names. */
  readonly testPathPatterns: { readonly patterns: readonly string[] };
}

/** Bundles the functions, and synthesizes the app, once for all tests, in about a second. */
export default async function setUp({ testPathPatterns }: GlobalConfig): Promise<void> {
  const { patterns } = testPathPatterns;
  // In-process tests need neither, so they run even if the app cannot be synthesized.
  if (patterns.length > 0 && patterns.every((each) => each.includes('in-process'))) return;
  // The tests start hundreds of commands, so Node caches the compiled code.
  process.env.NODE_COMPILE_CACHE ??= join(tmpdir(), 'plant-store-compile-cache');
  const folder = await mkdtemp(join(tmpdir(), 'plant-store-built-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  process.env.PLANT_STORE_BUILT = folder;
  const project = join(import.meta.dirname, '../../..');
  buildFunctions(project, FUNCTION_NAMES, folder);
  await synthesize({ project, output: synthesizedAssembly() });
}
