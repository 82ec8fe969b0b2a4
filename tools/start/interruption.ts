import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const CHECK_MS = 250;

/** Resolves on Ctrl-C or SIGTERM, or when the terminal is closed or the npm that started this process has ended. */
export function untilInterrupted(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve());
    if (process.env.npm_lifecycle_event !== undefined) void untilNpmHasEnded().then(resolve);
  });
}

/** Polls, because npm forwards few signals and cannot forward SIGKILL, and the shell that it starts may outlive it. */
async function untilNpmHasEnded(): Promise<void> {
  const parent = process.ppid;
  const npm = await npmAbove(parent);
  await new Promise<void>((resolve) => {
    const check = () => (process.ppid !== parent || !isRunning(npm)) && resolve();
    setInterval(check, CHECK_MS).unref();
  });
}

/**
 * Returns the process id of npm, which may have a shell and require-node.js between itself and this process. If npm is
 * not found, returns the last id on the way up.
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
