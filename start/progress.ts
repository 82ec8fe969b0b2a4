/** When a wait needs an explanation, and how often it is renewed. */
const FIRST_MS = 2_000;
const INTERVAL_MS = 1_000;

const CLEAR_LINE = '\r\u001b[K';

/** Shows from the third second on how long the work has taken, on a terminal only. Settles as the work does. */
export async function showProgress<T>(
  work: Promise<T>,
  stream: Pick<NodeJS.WriteStream, 'isTTY' | 'write'>,
): Promise<T> {
  if (!stream.isTTY) return work;
  const startedAt = performance.now();
  const show = () => stream.write(`\r  ${Math.floor((performance.now() - startedAt) / 1000)} s`);
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
    if (interval !== undefined) stream.write(CLEAR_LINE);
  }
}
