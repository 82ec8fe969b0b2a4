import { setTimeout as sleep } from 'node:timers/promises';
import { type CompleteResponse, fieldsOf } from './service-response.ts';

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
 * @throws Error if the last attempt gets no complete response
 * @throws the abort reason if the request's signal is aborted
 */
export async function retryingFetch(request: Request): Promise<CompleteResponse> {
  const { signal } = request;
  for (let attempt = 1; ; attempt += 1) {
    const complete = await completeResponse(request).catch((cause: unknown) => {
      signal.throwIfAborted();
      if (attempt < ATTEMPTS) return undefined;
      throw new Error(`no complete response in ${ATTEMPTS} attempts; check the network`, { cause });
    });
    const retryAfterMs = (Number(complete?.response.headers.get('Retry-After')) || 0) * 1_000;
    if (complete !== undefined) {
      const isLast = attempt === ATTEMPTS || retryAfterMs > LONGEST_RETRY_AFTER_MS;
      if (isLast || !isRetryable(complete)) return complete;
    }
    const backoffMs = FIRST_BACKOFF_MS * 2 ** (attempt - 1) * Math.random();
    // Replaces the timer's own AbortError with the caller's reason.
    await sleep(Math.max(retryAfterMs, backoffMs), undefined, { signal }).catch(() =>
      signal.throwIfAborted(),
    );
  }
}

/** Returns the response once its whole body has arrived. */
async function completeResponse(request: Request): Promise<CompleteResponse> {
  const tooLarge = new AbortController();
  const signal = AbortSignal.any([
    request.signal,
    AbortSignal.timeout(TIMEOUT_MS),
    tooLarge.signal,
  ]);
  const response = await fetch(request.clone(), { signal });
  const decoder = new TextDecoder();
  let bytes = 0;
  let text = '';
  for await (const chunk of response.clone().body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > MAX_BYTES) tooLarge.abort(new Error('the response is larger than 6 MB'));
    text += decoder.decode(chunk, { stream: true });
  }
  return { response, text: text + decoder.decode() };
}

function isRetryable({ response: { status }, text }: CompleteResponse): boolean {
  // These statuses can also come from AWS's front end or a proxy, without an error code.
  return status === 429 || status >= 500 || fieldsOf(text).error === 1500;
}
