import { readdirSync, readFileSync } from 'node:fs';

/** What the kernel counts in: USER_HZ, which is 100 on every Linux. */
const TICK_MS = 10;

/** By what it is in the emulator, the script of each of its processes. */
const PARTS: readonly (readonly [string, RegExp])[] = [
  ['functions', /\/bootstrap\.cjs/],
  ['embedded DynamoDB', /\/dynamodb\/process\.cjs/],
  ['server', /\/start\.ts/],
];

/**
 * The CPU time that the parts of a stage have used, in milliseconds, from `/proc`.
 *
 * @returns nothing where there is no `/proc`
 */
export function cpuOfParts(stagePid: number): Map<string, number> {
  const spent = new Map<string, number>();
  for (const { command, ms } of processesOf(stagePid)) {
    const part = PARTS.find(([, script]) => script.test(command))?.[0];
    if (part !== undefined) spent.set(part, (spent.get(part) ?? 0) + ms);
  }
  return spent;
}

/** The stage's own process and those that it started. */
function processesOf(stagePid: number): { command: string; ms: number }[] {
  return pids().flatMap((pid) => {
    try {
      // After the name in brackets, which may hold anything: state, parent, … utime and stime (proc(5)).
      const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
        .replace(/^.*\) /s, '')
        .split(' ')
        .map(Number);
      const [parent = 0, user = 0, system = 0] = [fields[1], fields[11], fields[12]];
      if (pid !== stagePid && parent !== stagePid) return [];
      const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
      return [{ command, ms: (user + system) * TICK_MS }];
    } catch {
      // It has ended meanwhile.
      return [];
    }
  });
}

function pids(): number[] {
  try {
    return readdirSync('/proc').map(Number).filter(Number.isInteger);
  } catch {
    return [];
  }
}
