const INTERVAL_MS = 1_000;
/** When a wait needs an explanation. */
const FIRST_SECONDS = 2;

const CLEAR_LINE = '\r\u001b[K';

/** Shows after two seconds how long the work has taken, on a terminal only. Settles as the work does. */
export async function showProgress<T>(
  work: Promise<T>,
  stream: Pick<NodeJS.WriteStream, 'isTTY' | 'write'>,
): Promise<T> {
  if (!stream.isTTY) return work;
  let seconds = 0;
  const timer = setInterval(() => {
    seconds++;
    if (seconds >= FIRST_SECONDS) stream.write(`\r  ${seconds} s`);
  }, INTERVAL_MS);
  try {
    return await work;
  } finally {
    clearInterval(timer);
    stream.write(CLEAR_LINE);
  }
}
