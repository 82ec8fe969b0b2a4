/** The longest that an init waits: a store that is near answers in a tenth of it, and no other is waited for. */
const PATIENCE_MS = 250;

/**
 * Runs a rehearsal of the first request during init, so that the request finds its code compiled and its
 * connection open. Whatever becomes of the rehearsal, init goes on.
 */
export async function primeWith(rehearsal: () => Promise<unknown>): Promise<void> {
  const { promise: patience, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, PATIENCE_MS);
  await Promise.race([rehearsal().catch(() => undefined), patience]);
  clearTimeout(timer);
}
