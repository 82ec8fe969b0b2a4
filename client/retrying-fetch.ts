import { jsonObject } from './json.ts';

const ATTEMPTS = 5;
const TIMEOUT_MS = 30_000;
const FIRST_BACKOFF_MS = 200;
const LONGEST_RETRY_AFTER_MS = 30_000;
/** No Lambda function can return a larger response. */
const MAX_BYTES = 6 * 1024 * 1024;

/**
 * Retries a request if no complete response of at most 6 MB arrives, or if docs/errors.md says to retry after that
 * response. Waits for `Retry-After` or for a random, exponential backoff, whichever is longer. The id makes retries
 * safe, because creating the same plant again changes nothing.
 *
 * @throws Error if the fifth attempt gets no complete response either, or the abort reason if the request's signal is
 *   aborted
 */
export async function retryingFetch(request: Request, attempt = 1): Promise<Response> {
  const { signal } = request;
  const response = await completeResponse(request).catch((cause: unknown) => {
    signal.throwIfAborted();
    // The Fetch standard makes a 407 a network error, and Node's fetch does not say why.
    if (attempt === ATTEMPTS)
      throw new Error('no complete response in 5 attempts, or a 407 from a proxy', { cause });
  });
  const retryAfterMs = (Number(response?.headers.get('Retry-After')) || 0) * 1_000;
  if (response !== undefined) {
    const last = attempt === ATTEMPTS || retryAfterMs > LONGEST_RETRY_AFTER_MS;
    if (last || !(await isRetryable(response))) return response;
  }
  await pause(Math.max(retryAfterMs, FIRST_BACKOFF_MS * 2 ** (attempt - 1) * Math.random()), signal);
  return retryingFetch(request, attempt + 1);
}

/** Returns a response once its body has arrived. The body can still be read. */
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
  // AWS's front end and proxies send these statuses without an error code.
  if (response.status === 429 || response.status >= 500) return true;
  return jsonObject(await response.clone().text()).error === 1500;
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds);
    const abort = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
  });
}
