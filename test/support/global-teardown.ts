import { rm } from 'node:fs/promises';
import { synthesizedAssembly } from './synthesized-assembly.ts';

export default async function tearDown(): Promise<void> {
  await rm(synthesizedAssembly(), { recursive: true, force: true });
}
