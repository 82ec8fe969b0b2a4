import { execFileSync } from 'node:child_process';
import type { StageProcess } from '../crash/stage-process.ts';

/** @returns the megabytes that each of the stage's processes has in memory, the largest first */
export function memoryOf({ child, descendants }: StageProcess): number[] {
  const pids = [child.pid, ...descendants()].join(',');
  const kilobytes = execFileSync('ps', ['-o', 'rss=', '-p', pids], { encoding: 'utf8' });
  return kilobytes
    .trim()
    .split('\n')
    .map((line) => Math.round(Number(line) / 1024))
    .sort((a, b) => b - a);
}
