import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const SCRIPT = join(import.meta.dirname, '../../../bin/start.ts');
/** Many times the duration of a start: five run at once, beside the rest of the tests. */
const TIMEOUT_MS = 120_000;

export interface FailedStart {
  readonly code: number | null;
  readonly stderr: string;
  /** Whether a process that it started still runs. */
  readonly leftRunning: boolean;
  /** The files that it left in the folder for temporary files. */
  readonly leftBehind: readonly string[];
}

/** Whether this user can mount a file system that only one process and its children see. */
export const canMount =
  process.platform === 'linux' &&
  spawnSync('unshare', ['-rm', 'mount', '-t', 'tmpfs', 'none', '/mnt']).status === 0;

/**
 * Runs `bin/start.ts` until it ends; kills it after two minutes.
 * @param mount shell commands that change the file system of `$DATA_DIR`, for this start only
 */
export async function failStart(
  environment: Readonly<Record<string, string>>,
  mount?: string,
): Promise<FailedStart> {
  const temporary = await mkdtemp(join(tmpdir(), 'plant-store-start-'));
  const command = [process.execPath, SCRIPT];
  const within = mount === undefined ? [] : ['unshare', '-rm', 'sh', '-c', `${mount} && exec "$@"`, 'sh'];
  const [program = '', ...args] = [...within, ...command];
  const env = { ...process.env, PORT: '0', DYNAMODB_PORT: '0', TMPDIR: temporary, ...environment };
  // A process group of its own, whose id finds everything that it started.
  const child = spawn(program, args, { env, detached: true, stdio: ['ignore', 'ignore', 'pipe'] });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const { pid = 0 } = child;
  const timer = setTimeout(() => process.kill(-pid, 'SIGKILL'), TIMEOUT_MS);
  const [code]: (number | null)[] = await once(child, 'close');
  clearTimeout(timer);
  const leftBehind = await readdir(temporary);
  await rm(temporary, { recursive: true, force: true });
  return { code: code ?? null, stderr, leftRunning: await groupRuns(pid), leftBehind };
}

/** Waits up to a second for a process group to end; zombies count as ended. */
async function groupRuns(id: number): Promise<boolean> {
  for (let wait = 0; wait < 20; wait += 1) {
    const processes = execFileSync('ps', ['-A', '-o', 'pgid=,state='], { encoding: 'utf8' });
    if (!new RegExp(`^ *${id} +[^Z]`, 'm').test(processes)) return false;
    await sleep(50);
  }
  return true;
}
