import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive } from '../local/fixtures/processes.ts';

/** The ids of all processes that a process started, and theirs. */
export function descendantsOf(pid: number): number[] {
  const children = Map.groupBy(parents(), ([, parent]) => parent);
  const below = (parent: number): number[] =>
    (children.get(parent) ?? []).flatMap(([child]) => [child, ...below(child)]);
  return below(pid);
}

/** @returns those that still run when others would long have ended */
export async function survivorsOf(pids: readonly number[]): Promise<number[]> {
  for (let wait = 0; wait < 100 && pids.some(isAlive); wait += 1) await sleep(50);
  return pids.filter(isAlive);
}

/** Every process with its parent. */
function parents(): (readonly [pid: number, parent: number])[] {
  if (existsSync('/proc/self/stat')) return fromProc();
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n');
  return lines.map((line) => {
    const [pid = '', parent = ''] = line.trim().split(/\s+/);
    return [Number(pid), Number(parent)];
  });
}

function fromProc(): (readonly [pid: number, parent: number])[] {
  return readdirSync('/proc').flatMap((entry) => {
    if (!/^\d+$/.test(entry)) return [];
    try {
      // `pid (name) state parent …`, where the name may hold anything.
      const [, parent] = /^\d+ \(.*\) \w (\d+) /s.exec(readFileSync(`/proc/${entry}/stat`, 'utf8')) ?? [];
      return [[Number(entry), Number(parent)] as const];
    } catch {
      // It has ended since.
      return [];
    }
  });
}
