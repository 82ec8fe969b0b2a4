/** How often it is looked whether npm still lives. */
const LOOK_EVERY_MS = 250;

/**
 * Ends when this process is to end: on Ctrl-C, on SIGTERM, and when the npm that started it is gone. For npm
 * does not hand a SIGTERM on to what it runs.
 */
export function untilInterrupted(): Promise<void> {
  return new Promise((resolve) => {
    process.once('SIGINT', () => resolve());
    process.once('SIGTERM', () => resolve());
    if (process.env.npm_lifecycle_event === undefined) return;
    const npm = process.ppid;
    setInterval(() => process.ppid !== npm && resolve(), LOOK_EVERY_MS).unref();
  });
}
