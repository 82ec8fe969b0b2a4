/** The errors after which the same request may well succeed: docs/errors.md. */
export const WORTH_REPEATING: readonly unknown[] = [1500, 2429, 2500, 2502, 2504];

const ATTEMPTS = 5;
const TIMEOUT_MS = 30_000;
const FIRST_BACKOFF_MS = 200;

/**
 * A fetch that repeats a request that got no answer, or one worth repeating: after `Retry-After`, or a random
 * time that doubles, whichever is longer. The id makes that safe: the same plant again changes nothing.
 *
 * @throws where there is still no answer after five attempts
 */
export async function retryingFetch(request: Request, attempt = 1): Promise<Response> {
  const response = await fetch(request.clone(), { signal: AbortSignal.timeout(TIMEOUT_MS) }).catch(
    (cause: unknown) => {
      if (attempt === ATTEMPTS) throw cause;
    },
  );
  if (response !== undefined && (attempt === ATTEMPTS || !(await isWorthRepeating(response))))
    return response;
  const retryAfterMs = Number(response?.headers.get('Retry-After') ?? 0) * 1_000;
  await pause(Math.max(retryAfterMs, FIRST_BACKOFF_MS * 2 ** (attempt - 1) * Math.random()));
  return retryingFetch(request, attempt + 1);
}

async function isWorthRepeating(response: Response): Promise<boolean> {
  if (response.ok) return false;
  // What is no JSON came from something in between, which knows no error numbers.
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => undefined);
  return typeof body === 'object' && body !== null && 'error' in body && WORTH_REPEATING.includes(body.error);
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
