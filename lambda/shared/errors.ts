/** An error number of the interface with the text that goes with it. */
export interface ErrorSpec {
  /** int32, stable: clients may switch on it. */
  readonly error: number;
  readonly message: string;
  /** Set where the same request is worth repeating: the seconds of the Retry-After header. */
  readonly retryAfter?: number;
}

/** Why the operation created no plant. Each is an HTTP 400: the interface has no other for a failure. */
export const operationErrors = {
  unsupportedMediaType: { error: 1000, message: 'the Content-Type must be application/json' },
  notJson: { error: 1001, message: 'the body must be JSON, in UTF-8 and not nested too deeply' },
  notANewPlant: { error: 1002, message: 'the body must be a NewPlant' },
  tooLarge: { error: 1003, message: 'the plant is larger than the store can hold (400 KB)' },
  conflict: { error: 1004, message: 'another plant has this id' },
  dynamodbFailed: {
    error: 1500,
    message: 'the store failed or did not answer in time; try again',
    retryAfter: 1,
  },
  unexpected: { error: 1599, message: 'unexpected error' },
} as const satisfies Record<string, ErrorSpec>;

/** Why API Gateway answered in the operation's place: 2000 + HTTP status. */
export const gatewayErrors = {
  badRequest: { error: 2400, message: 'the request was refused' },
  unauthorized: { error: 2401, message: 'a valid access token is required' },
  forbidden: { error: 2403, message: 'the access token does not grant this' },
  notFound: { error: 2404, message: 'no such route' },
  requestTooLarge: { error: 2413, message: 'the request is too large' },
  throttled: { error: 2429, message: 'too many requests; try again later', retryAfter: 1 },
  internalError: { error: 2500, message: 'the service failed; try again later' },
  badGateway: { error: 2502, message: 'the service gave no valid answer; try again' },
  gatewayTimeout: { error: 2504, message: 'the service did not answer in time; try again' },
} as const satisfies Record<string, ErrorSpec>;

/** Whether it was the service that failed, not the request that was wrong: 15xx, 25xx. */
export function isFault({ error }: ErrorSpec): boolean {
  return error % 1000 >= 500;
}

/** The operation created no plant, and the client is told why. */
export class OperationError extends Error {
  override readonly name = 'OperationError';
  readonly number: ErrorSpec;

  /** @param detail replaces the number's own text where more can be said, such as which field is wrong */
  constructor(number: ErrorSpec, { detail, cause }: { detail?: string; cause?: unknown } = {}) {
    super(detail ?? number.message, { cause });
    this.number = number;
  }
}
