/** The response of API Gateway itself, unless the template has a gateway response for the type. */
interface DefaultResponse {
  readonly status: number;
  readonly message: string;
  /** The value of the header x-amzn-ErrorType. */
  readonly errorType: string;
}

const internal = { status: 500, message: 'Internal server error', errorType: 'InternalServerErrorException' };

/** https://docs.aws.amazon.com/apigateway/latest/developerguide/supported-gateway-response-types.html */
export const defaultResponses = {
  ACCESS_DENIED: {
    status: 403,
    message: 'User is not authorized to access this resource',
    errorType: 'AccessDeniedException',
  },
  API_CONFIGURATION_ERROR: internal,
  AUTHORIZER_CONFIGURATION_ERROR: { ...internal, errorType: 'AuthorizerConfigurationException' },
  AUTHORIZER_FAILURE: { ...internal, errorType: 'AuthorizerFailureException' },
  // AWS documents 504, but responds with 502 if a Lambda function fails.
  INTEGRATION_FAILURE: { ...internal, status: 502 },
  INTEGRATION_TIMEOUT: {
    status: 504,
    message: 'Endpoint request timed out',
    errorType: 'InternalServerErrorException',
  },
  INVALID_SIGNATURE: {
    status: 403,
    message: 'not a valid key=value pair (missing equal-sign) in Authorization header',
    errorType: 'IncompleteSignatureException',
  },
  MISSING_AUTHENTICATION_TOKEN: {
    status: 403,
    message: 'Missing Authentication Token',
    errorType: 'MissingAuthenticationTokenException',
  },
  // Of an event above Lambda's limit. A body above API Gateway's own is rejected by the front end.
  REQUEST_TOO_LARGE: { status: 413, message: 'Request Too Long', errorType: 'BadRequestException' },
  THROTTLED: { status: 429, message: 'Too Many Requests', errorType: 'TooManyRequestsException' },
  UNAUTHORIZED: { status: 401, message: 'Unauthorized', errorType: 'UnauthorizedException' },
} as const satisfies Readonly<Record<string, DefaultResponse>>;

export type GatewayResponseType = keyof typeof defaultResponses;

/** Thrown if API Gateway responds itself, in place of the function. `message` is for the log only. */
export class GatewayError extends Error {
  readonly type: GatewayResponseType;

  constructor(type: GatewayResponseType, message: string = type) {
    super(message);
    this.type = type;
  }
}
