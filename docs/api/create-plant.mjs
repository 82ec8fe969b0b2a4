const { BASE_URL, ACCESS_TOKEN } = process.env;
const headers = { Authorization: `Bearer ${ACCESS_TOKEN}`, 'Content-Type': 'application/json' };

/** Returns the created plant. Throws an Error with the response in its message and the error code in `code`. */
export async function createPlant(plant, attempt = 1) {
  // `JSON.rawJSON` writes a bigint's digits as a JSON number.
  const body = JSON.stringify(plant, (_, value) =>
    typeof value === 'bigint' ? JSON.rawJSON(`${value}`) : value,
  );
  const request = {
    method: 'POST',
    headers,
    body,
    redirect: 'manual',
    signal: AbortSignal.timeout(30_000),
  };
  const response = await fetch(`${BASE_URL}/plants`, request).catch(() => Response.error());
  let text = '';
  try {
    for await (const part of response.body.pipeThrough(new TextDecoderStream())) {
      text += part;
      if (text.length > 3_000_000) break;
    }
  } catch {
    text = '';
  }
  const result = (await new Response(text).json().catch(() => null)) ?? {};
  const { name, tag = '', error: code } = result;
  if (response.status === 200 && typeof name === 'string' && typeof tag === 'string') return result;
  const requestId = response.headers.get('x-amzn-RequestId');
  const retryAfter = Math.min(Number(response.headers.get('Retry-After')) || 0, 30);
  const retryable =
    text === '' || response.status === 429 || response.status >= 500 || code === 1500;
  if (!retryable || attempt === 5)
    throw Object.assign(
      new Error(`${response.status} ${text.slice(0, 200)} (request ${requestId ?? 'unknown'})`),
      { code },
    );
  const seconds = Math.max(retryAfter, 0.1 * 2 ** attempt * Math.random());
  await new Promise((resolve) => setTimeout(resolve, 1000 * seconds));
  return createPlant(plant, attempt + 1);
}
