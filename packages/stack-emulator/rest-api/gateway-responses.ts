import { unsupported } from '../errors.ts';
import type { Properties } from '../json.ts';
import type { Resolver } from '../template/intrinsics.ts';
import type { HttpResponse } from './response.ts';

const internal = {
  status: 500,
  message: 'Internal server error',
  errorType: 'InternalServerErrorException',
};

/**
 * API Gateway's default responses, for types without a gateway response in the template. `errorType` is the value of
 * the header x-amzn-ErrorType.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/supported-gateway-response-types.html
 */
export const defaultResponses = {
  ACCESS_DENIED: {
    status: 403,
    message: 'User is not authorized to access this resource',
    errorType: 'AccessDeniedException',
  },
  API_CONFIGURATION_ERROR: internal,
  AUTHORIZER_CONFIGURATION_ERROR: { ...internal, errorType: 'AuthorizerConfigurationException' },
  // AWS documents 504, but responds with 502 if a Lambda function fails.
  INTEGRATION_FAILURE: { ...internal, status: 502 },
  INTEGRATION_TIMEOUT: { ...internal, status: 504, message: 'Endpoint request timed out' },
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
  // This is for an event above Lambda's limit. For a body above API Gateway's own limit, AWS's front end responds.
  REQUEST_TOO_LARGE: { status: 413, message: 'Request Too Long', errorType: 'BadRequestException' },
  UNAUTHORIZED: { status: 401, message: 'Unauthorized', errorType: 'UnauthorizedException' },
};

export type GatewayResponseType = keyof typeof defaultResponses;

/** Thrown if API Gateway itself responds instead of the function. */
export class GatewayError extends Error {
  readonly type: GatewayResponseType;
  /** For the log; undefined if the type says enough. */
  readonly reason: string | undefined;

  constructor(type: GatewayResponseType, reason?: string) {
    super(reason ?? type);
    this.type = type;
    this.reason = reason;
  }
}

export type GatewayResponseOf = (type: GatewayResponseType) => HttpResponse;

/**
 * Parses the template's gateway responses. A type that has none gets the template's DEFAULT_4XX or DEFAULT_5XX or, if
 * that is missing too, AWS's default.
 * @throws UserError if a gateway response depends on the request, or is not JSON
 */
export function parseGatewayResponses(resolver: Resolver): GatewayResponseOf {
  const configured = new Map(
    resolver.allOfType('AWS::ApiGateway::GatewayResponse').map((properties) => [
      properties.string('ResponseType'),
      {
        status: properties.optionalNumber('StatusCode'),
        headers: headersOf(properties),
        body: bodyOf(properties),
      },
    ]),
  );
  return (type) => {
    const { status, errorType, message } = defaultResponses[type];
    const response =
      configured.get(type) ?? configured.get(status < 500 ? 'DEFAULT_4XX' : 'DEFAULT_5XX');
    return {
      status: response?.status ?? status,
      headers: [
        ['Content-Type', 'application/json'],
        ['x-amzn-ErrorType', errorType],
        ...(response?.headers ?? []),
      ],
      body: Buffer.from(response?.body ?? JSON.stringify({ message })),
    };
  };
}

function headersOf(properties: Properties): [string, string][] {
  return Object.entries(properties.strings('ResponseParameters')).map(([name, value]) => {
    const [, header] = /^gatewayresponse\.header\.(.*)$/.exec(name) ?? [];
    const [, literal] = /^'(.*)'$/.exec(value) ?? [];
    if (header === undefined || literal === undefined) {
      throw unsupported(`${properties.path}.ResponseParameters: ${name} with the value ${value}`);
    }
    return [header, literal];
  });
}

function bodyOf(properties: Properties): string | undefined {
  const { 'application/json': json, ...others } = properties.strings('ResponseTemplates');
  const [other] = Object.keys(others);
  if (other !== undefined || json?.includes('$')) {
    throw unsupported(`${properties.path}.ResponseTemplates: ${other ?? json}`);
  }
  return json;
}
