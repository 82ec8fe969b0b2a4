import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** Ends the processes in its care if this one is killed: one that computes without end notices nothing itself. */
export interface ProcessGuard {
  add(pid: number): void;
  remove(pid: number): void;
  stop(): Promise<void>;
}

/** Reads the ids in care, a line for each change; its input ends with the process that writes it. */
const SCRIPT = `trap '' INT TERM HUP
while read -r line; do pids=$line; done
[ -z "$pids" ] || kill -9 $pids`;

/** A shell costs a millisecond for all; a thread in each function's process would cost 25, and 20 MB. */
export function startProcessGuard(): ProcessGuard {
  // Windows has neither.
  if (process.platform === 'win32') return { add() {}, remove() {}, async stop() {} };
  const shell = spawn('/bin/sh', ['-c', SCRIPT], { stdio: ['pipe', 'ignore', 'ignore'] });
  const ended = once(shell, 'close').catch(() => {});
  // Without the shell, everything else works.
  shell.stdin.on('error', () => {});
  const pids = new Set<number>();
  const tell = () => shell.stdin.write(`${[...pids].join(' ')}\n`);
  return {
    add(pid) {
      pids.add(pid);
      tell();
    },
    remove(pid) {
      pids.delete(pid);
      tell();
    },
    async stop() {
      shell.stdin.end();
      await ended;
    },
  };
}
