/** Thrown if the response came from AWS's front end, a proxy or a captive portal instead of Plant Store. */
export class UnexpectedResponseError extends Error {
  override readonly name = 'UnexpectedResponseError';
  readonly status: number;
  readonly body: string;

  constructor(status: number, body: string) {
    super(`expected a Plant or an Error body, got ${status} ${body.slice(0, 200)}`);
    this.status = status;
    this.body = body;
  }
}

export interface CompleteResponse {
  /** The caller can still read the body. */
  readonly response: Response;
  readonly text: string;
}

/**
 * Returns the response if it is a 200 with a Plant body, or a failure with an Error body.
 *
 * @throws UnexpectedResponseError if the response is neither
 */
export function serviceResponse({ response, text }: CompleteResponse): Response {
  const { name, tag = '', error, message } = fieldsOf(text);
  const isPlant = response.status === 200 && typeof name === 'string' && typeof tag === 'string';
  const isError = !response.ok && typeof error === 'number' && typeof message === 'string';
  if (!isPlant && !isError) throw new UnexpectedResponseError(response.status, text);
  return response;
}

/** Returns the fields of a JSON object, or an empty object if the text is not JSON. */
export function fieldsOf(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}
