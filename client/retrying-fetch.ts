import { setTimeout as pause } from 'node:timers/promises';
import { jsonObject } from './service-response.ts';

const ATTEMPTS = 5;
const TIMEOUT_MS = 30_000;
const FIRST_BACKOFF_MS = 200;
const LONGEST_RETRY_AFTER_MS = 30_000;
/** No Lambda function can return a larger response. */
const MAX_BYTES = 6 * 1024 * 1024;

/**
 * Sends a request, and retries it if no complete response of at most 6 MB arrives, or if the response is an error that
 * docs/errors.md says to retry. Before each retry, it waits for `Retry-After` or for a random, exponential backoff,
 * whichever is longer. Retries are safe, because creating the same plant again changes nothing.
 *
 * @throws Error if the last of five attempts gets no complete response
 * @throws the abort reason if the request's signal is aborted
 */
export async function retryingFetch(request: Request, attempt = 1): Promise<Response> {
  const { signal } = request;
  const response = await completeResponse(request).catch((cause: unknown) => {
    signal.throwIfAborted();
    // The Fetch standard treats a 407 as a network error, and Node's fetch does not report its status.
    if (attempt === ATTEMPTS) {
      throw new Error(
        'no complete response in 5 attempts; check the network, and whether a proxy returns 407',
        { cause },
      );
    }
  });
  const retryAfterMs = (Number(response?.headers.get('Retry-After')) || 0) * 1_000;
  if (response !== undefined) {
    const last = attempt === ATTEMPTS || retryAfterMs > LONGEST_RETRY_AFTER_MS;
    if (last || !(await isRetryable(response))) return response;
  }
  const backoffMs = FIRST_BACKOFF_MS * 2 ** (attempt - 1) * Math.random();
  // Replaces the timer's own AbortError with the caller's reason.
  await pause(Math.max(retryAfterMs, backoffMs), undefined, { signal }).catch(() =>
    signal.throwIfAborted(),
  );
  return retryingFetch(request, attempt + 1);
}

/** Returns the response once its whole body has arrived. The caller can still read the body. */
async function completeResponse(request: Request): Promise<Response> {
  const tooLong = new AbortController();
  const signal = AbortSignal.any([request.signal, AbortSignal.timeout(TIMEOUT_MS), tooLong.signal]);
  const response = await fetch(request.clone(), { signal });
  let bytes = 0;
  const count = new WritableStream<Uint8Array>({
    write: ({ byteLength }) => {
      bytes += byteLength;
      if (bytes > MAX_BYTES) tooLong.abort(new Error('the response is larger than 6 MB'));
    },
  });
  await response.clone().body?.pipeTo(count, { signal });
  return response;
}

async function isRetryable(response: Response): Promise<boolean> {
  // These statuses can also come from AWS's front end or a proxy, without an error code.
  if (response.status === 429 || response.status >= 500) return true;
  return jsonObject(await response.clone().text()).error === 1500;
}
