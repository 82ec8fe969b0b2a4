/** The error codes that are safe to retry: docs/errors.md. */
export const RETRYABLE_ERRORS: readonly unknown[] = [1500, 2429, 2500, 2502, 2504];

const ATTEMPTS = 5;
const TIMEOUT_MS = 30_000;
const FIRST_BACKOFF_MS = 200;

/**
 * Retries a request without a response, or with a retryable error: after `Retry-After` or a random, exponential
 * backoff, whichever is longer. The id makes that safe, because creating the same plant again changes nothing.
 *
 * @throws the error of fetch if the fifth attempt has no response either
 */
export async function retryingFetch(request: Request, attempt = 1): Promise<Response> {
  const response = await fetch(request.clone(), { signal: AbortSignal.timeout(TIMEOUT_MS) }).catch(
    (cause: unknown) => {
      if (attempt === ATTEMPTS) throw cause;
    },
  );
  if (response !== undefined && (attempt === ATTEMPTS || !(await isRetryable(response)))) return response;
  const retryAfterMs = Number(response?.headers.get('Retry-After') ?? 0) * 1_000;
  await pause(Math.max(retryAfterMs, FIRST_BACKOFF_MS * 2 ** (attempt - 1) * Math.random()));
  return retryingFetch(request, attempt + 1);
}

async function isRetryable(response: Response): Promise<boolean> {
  if (response.ok) return false;
  // A body that is not JSON comes from a proxy, which does not know our error codes.
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => undefined);
  return (
    typeof body === 'object' && body !== null && 'error' in body && RETRYABLE_ERRORS.includes(body.error)
  );
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
