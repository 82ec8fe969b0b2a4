import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const CHECK_MS = 250;

/** Resolves on Ctrl-C or SIGTERM, when the terminal is closed, or when the npm process that ran this one has ended. */
export function untilInterrupted(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve());
    if (process.env.npm_lifecycle_event !== undefined) void untilNpmHasEnded().then(resolve);
  });
}

/** Polls, because npm forwards few signals and cannot forward SIGKILL, and because npm's shell may outlive npm. */
async function untilNpmHasEnded(): Promise<void> {
  const parent = process.ppid;
  const npm = await npmAbove(parent);
  await new Promise<void>((resolve) => {
    const check = () => (process.ppid !== parent || !isRunning(npm)) && resolve();
    setInterval(check, CHECK_MS).unref();
  });
}

/**
 * Returns the id of npm's process. A shell and require-node.js may run between npm and this process. If npm is not
 * found, returns the id of the topmost process that was found.
 */
async function npmAbove(pid: number): Promise<number> {
  const ps = promisify(execFile)('ps', ['-o', 'ppid=,args=', '-p', String(pid)]);
  const { stdout } = await ps.catch(() => ({ stdout: '' }));
  const [, parent, args = ''] = /^ *([1-9]\d*) (.*)/.exec(stdout) ?? [];
  return parent === undefined || /\bnpm\b/.test(args) ? pid : npmAbove(Number(parent));
}

/** Whether a process is running, even if it belongs to a different user. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
