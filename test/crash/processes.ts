import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

interface Running {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
}

/** The ids of all processes that a process started, and theirs. */
export function descendantsOf(pid: number): number[] {
  const children = Map.groupBy(running(), ({ parent }) => parent);
  const below = (parent: number): number[] =>
    (children.get(parent) ?? []).flatMap((child) => [child.pid, ...below(child.pid)]);
  return below(pid);
}

/** @returns those that still run when others would long have ended */
export async function survivorsOf(pids: readonly number[]): Promise<number[]> {
  return lastly(({ pid }) => pids.includes(pid));
}

/** @returns what still runs of a process group when others would long have ended */
export async function survivorsOfGroup(id: number): Promise<number[]> {
  return lastly(({ group }) => group === id);
}

async function lastly(which: (process: Running) => boolean): Promise<number[]> {
  for (let wait = 0; wait < 100 && running().some(which); wait += 1) await sleep(50);
  return running()
    .filter(which)
    .map(({ pid }) => pid);
}

/** Every process but those that have ended and wait for their parent to notice. */
function running(): Running[] {
  const lines = existsSync('/proc/self/stat') ? fromProc() : fromPs();
  return lines.flatMap(([pid = '', state = '', parent = '', group = '']) =>
    state.startsWith('Z') ? [] : [{ pid: Number(pid), parent: Number(parent), group: Number(group) }],
  );
}

function fromPs(): string[][] {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,state=,ppid=,pgid='], { encoding: 'utf8' }).trim();
  return lines.split('\n').map((line) => line.trim().split(/\s+/));
}

function fromProc(): string[][] {
  return readdirSync('/proc').flatMap((entry) => {
    if (!/^\d+$/.test(entry)) return [];
    try {
      // `pid (name) state parent group …`, where the name may hold anything.
      return [
        readFileSync(`/proc/${entry}/stat`, 'utf8')
          .replace(/\(.*\) /s, '')
          .split(' ', 4),
      ];
    } catch {
      // It has ended since.
      return [];
    }
  });
}
