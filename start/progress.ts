/** When a wait needs an explanation, and how often it is renewed. */
const FIRST_MS = 2_000;
const INTERVAL_MS = 1_000;

/** Where progress is shown: on a terminal only, which can write over a line. */
export interface ProgressStream {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

/** Writes a line and, after two seconds, how long the work has taken so far. Settles as the work does. */
export async function showProgress<T>(text: string, work: Promise<T>, stream: ProgressStream): Promise<T> {
  stream.write(stream.isTTY ? text : `${text}\n`);
  if (!stream.isTTY) return work;
  const startedAt = performance.now();
  const show = () => stream.write(`\r${text} ${Math.floor((performance.now() - startedAt) / 1000)} s`);
  let interval: NodeJS.Timeout | undefined;
  const timeout = setTimeout(() => {
    show();
    interval = setInterval(show, INTERVAL_MS);
  }, FIRST_MS);
  try {
    return await work;
  } finally {
    clearTimeout(timeout);
    clearInterval(interval);
    stream.write('\n');
  }
}
