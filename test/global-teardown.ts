import { rm } from 'node:fs/promises';
import { synthesizedAssembly } from './end-to-end/synthesized-assembly.ts';

export default async function tearDown(): Promise<void> {
  await rm(synthesizedAssembly(), { recursive: true, force: true });
}
