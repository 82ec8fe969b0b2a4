/** An error of the API: its code, HTTP status and message. */
export interface ErrorSpec {
  /** An int32 that must never change, because clients may depend on it. */
  readonly code: number;
  readonly status: number;
  readonly message: string;
  /** The value of the Retry-After header, if there is one. */
  readonly retryAfterSeconds?: number;
  /** Whether the service is at fault, and not the request. */
  readonly fault?: boolean;
}

/** Errors that operations return (docs/decisions.md#400-for-every-failure). */
export const operationErrors = {
  unsupportedMediaType: {
    code: 1000,
    status: 400,
    message: 'the Content-Type must be application/json',
  },
  notJson: {
    code: 1001,
    status: 400,
    message: 'the body must be JSON in UTF-8, with at most 100 levels of nesting',
  },
  invalidBody: { code: 1002, status: 400, message: 'the body does not match the schema' },
  tooLarge: {
    code: 1003,
    status: 400,
    message: 'the item is larger than DynamoDB can store (400 KB)',
  },
  conflict: { code: 1004, status: 400, message: 'another plant has this id' },
  dynamodbFailed: {
    code: 1500,
    status: 400,
    message: 'DynamoDB failed or timed out; try again',
    retryAfterSeconds: 1,
    fault: true,
  },
  unexpected: { code: 1599, status: 400, message: 'unexpected error', fault: true },
} as const satisfies Record<string, ErrorSpec>;

/** Errors that API Gateway itself returns. Each code is 2000 plus the HTTP status. */
export const gatewayErrors = {
  badRequest: { code: 2400, status: 400, message: 'the request was rejected' },
  unauthorized: { code: 2401, status: 401, message: 'a valid access token is required' },
  // With OpenID Connect, if a valid token lacks the scope.
  forbidden: { code: 2403, status: 403, message: 'the access token does not allow this request' },
  filtered: { code: 2403, status: 403, message: 'a firewall rejected the request' },
  notFound: { code: 2404, status: 404, message: 'no such route' },
  requestTooLarge: { code: 2413, status: 413, message: 'the request is too large' },
  throttled: {
    code: 2429,
    status: 429,
    message: 'too many requests; try again later',
    retryAfterSeconds: 1,
  },
  internalError: {
    code: 2500,
    status: 500,
    message: 'the service failed; try again later',
    fault: true,
  },
  badGateway: {
    code: 2502,
    status: 502,
    message: 'the service returned an invalid response; try again',
    fault: true,
  },
  gatewayTimeout: {
    code: 2504,
    status: 504,
    message: 'the service timed out; try again',
    fault: true,
  },
} as const satisfies Record<string, ErrorSpec>;

/** Enough to name dozens of fields. A limit is needed, because a property name can be megabytes long. */
export const MAX_MESSAGE_CHARACTERS = 1_000;

export function isFault({ fault = false }: ErrorSpec): boolean {
  return fault;
}

/** Thrown when an operation fails. The client gets the message. */
export class OperationError extends Error {
  override readonly name = 'OperationError';
  readonly spec: ErrorSpec;

  /** @param detail a more specific message, such as one that names the wrong field */
  constructor(spec: ErrorSpec, { detail, cause }: { detail?: string; cause?: unknown } = {}) {
    super(detail ?? spec.message, { cause });
    this.spec = spec;
  }
}

/** Thrown if a token is invalid. API Gateway returns 401 if an authorizer throws an error with exactly this message. */
export class Unauthorized extends Error {
  override readonly message = 'Unauthorized';
  /** Replaces the stack, which Lambda would log. Nobody needs to debug an invalid token. */
  override readonly stack = 'Unauthorized';
}
