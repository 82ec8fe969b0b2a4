import { mkdtemp, readdir, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isRunning } from './interruption.ts';

/** Creates the folder of this process for its builds, and removes those of processes that were killed. */
export async function createTemporaryFolder(): Promise<string> {
  // Source maps are relative to the real path.
  const parent = await realpath(tmpdir());
  for (const name of await readdir(parent)) {
    const [, pid] = /^plant-store-(\d+)-\w{6}$/.exec(name) ?? [];
    if (pid === undefined || isRunning(Number(pid))) continue;
    // It may be another user's.
    await rm(join(parent, name), { recursive: true, force: true }).catch(() => {});
  }
  return mkdtemp(join(parent, `plant-store-${process.pid}-`));
}
