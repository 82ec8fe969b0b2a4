/** What API Gateway itself answers with, unless the template has a gateway response for the type. */
interface Default {
  readonly status: number;
  readonly message: string;
  /** The value of the header x-amzn-ErrorType. */
  readonly errorType: string;
}

const internal = { status: 500, message: 'Internal server error', errorType: 'InternalServerErrorException' };

/** https://docs.aws.amazon.com/apigateway/latest/developerguide/supported-gateway-response-types.html */
export const gatewayResponseTypes = {
  ACCESS_DENIED: {
    status: 403,
    message: 'User is not authorized to access this resource',
    errorType: 'AccessDeniedException',
  },
  API_CONFIGURATION_ERROR: internal,
  AUTHORIZER_CONFIGURATION_ERROR: { ...internal, errorType: 'AuthorizerConfigurationException' },
  AUTHORIZER_FAILURE: { ...internal, errorType: 'AuthorizerFailureException' },
  // No type of API Gateway's: it refuses a malformed HTTP request before any API is known.
  BAD_REQUEST: { status: 400, message: 'Bad Request', errorType: 'BadRequestException' },
  // The table says 504, but a Lambda function that fails is answered with 502.
  INTEGRATION_FAILURE: { ...internal, status: 502 },
  INTEGRATION_TIMEOUT: {
    status: 504,
    message: 'Endpoint request timed out',
    errorType: 'InternalServerErrorException',
  },
  MISSING_AUTHENTICATION_TOKEN: {
    status: 403,
    message: 'Missing Authentication Token',
    errorType: 'MissingAuthenticationTokenException',
  },
  REQUEST_TOO_LARGE: {
    status: 413,
    message: 'HTTP content length exceeded 10485760 bytes.',
    errorType: 'RequestTooLargeException',
  },
  THROTTLED: { status: 429, message: 'Too Many Requests', errorType: 'TooManyRequestsException' },
  UNAUTHORIZED: { status: 401, message: 'Unauthorized', errorType: 'UnauthorizedException' },
} as const satisfies Readonly<Record<string, Default>>;

export type GatewayResponseType = keyof typeof gatewayResponseTypes;

/** Thrown wherever API Gateway would answer instead of the function. `message` is for the log. */
export class GatewayError extends Error {
  readonly type: GatewayResponseType;

  constructor(type: GatewayResponseType, message: string = type) {
    super(message);
    this.type = type;
  }
}
