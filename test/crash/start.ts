import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { survivorsOfGroup } from './processes.ts';

const SCRIPT = join(import.meta.dirname, '../../bin/start.ts');

/** What `npm start` did that came to nothing. */
export interface FailedStart {
  readonly code: number | null;
  readonly stderr: string;
  /** The ids of processes that it started and that still run. */
  readonly leftRunning: readonly number[];
  /** What it left in the folder for temporary files. */
  readonly leftBehind: readonly string[];
}

/** Mounts something at the data folder that only this process and its children see. */
export const canMount =
  process.platform === 'linux' &&
  spawnSync('unshare', ['-rm', 'mount', '-t', 'tmpfs', 'none', '/mnt']).status === 0;

/** Many times what a start takes, and half of what a test waits. */
const PATIENCE_MS = 30_000;

/** A start that does not fail is ended after a while. @param mount shell commands that change the file system of `$DATA_DIR` for it alone */
export async function startInVain(
  environment: Readonly<Record<string, string>>,
  mount?: string,
): Promise<FailedStart> {
  const temporary = await mkdtemp(join(tmpdir(), 'plant-store-start-'));
  const command = [process.execPath, SCRIPT];
  const within = mount === undefined ? [] : ['unshare', '-rm', 'sh', '-c', `${mount} && exec "$@"`, 'sh'];
  const [program = '', ...args] = [...within, ...command];
  const env = { ...process.env, PORT: '0', DYNAMODB_PORT: '0', TMPDIR: temporary, ...environment };
  // Its own process group, by whose id all that it starts can be asked for.
  const child = spawn(program, args, { env, detached: true, stdio: ['ignore', 'ignore', 'pipe'] });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const { pid = 0 } = child;
  const tooLong = setTimeout(() => process.kill(-pid, 'SIGKILL'), PATIENCE_MS);
  const [code]: (number | null)[] = await once(child, 'close');
  clearTimeout(tooLong);
  const leftBehind = await readdir(temporary);
  await rm(temporary, { recursive: true, force: true });
  return { code: code ?? null, stderr, leftRunning: await survivorsOfGroup(pid), leftBehind };
}
