import { spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';

const pins = spawnSync('taskset', ['-c', '0', 'true']).status === 0 && availableParallelism() > 1;
const cores = { measured: availableParallelism() - 1, store: 0 };

/** How Node runs a script on a core of its own, or on any where this machine can't pin. */
export function onCore(core: keyof typeof cores, args: string[]): [string, string[]] {
  return pins ? ['taskset', ['-c', `${cores[core]}`, process.execPath, ...args]] : [process.execPath, args];
}

export const pinning = pins ? `pinned to core ${cores.measured}` : 'not pinned: this machine has no taskset';
