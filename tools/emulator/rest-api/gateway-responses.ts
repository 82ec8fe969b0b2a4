import { unsupported } from '../emulator-error.ts';
import type { Properties } from '../properties.ts';
import type { Resolver } from '../template/intrinsics.ts';
import type { Resource } from '../template/resource-types.ts';
import type { HttpResponse } from './response.ts';

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

interface GatewayResponse {
  readonly status: number | undefined;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string | undefined;
}

/** The gateway responses of the template, by response type. */
export type GatewayResponses = ReadonlyMap<string, GatewayResponse>;

const FILE = 'emulator/rest-api/gateway-responses.ts';
const HEADER_PREFIX = 'gatewayresponse.header.';

/** @throws EmulatorError if a gateway response depends on the request, or is not JSON */
export function parseGatewayResponses(resources: readonly Resource[], resolver: Resolver): GatewayResponses {
  const configured = resources.filter(({ type }) => type === 'AWS::ApiGateway::GatewayResponse');
  return new Map(
    configured.map((resource): [string, GatewayResponse] => {
      const properties = resolver.properties(resource);
      return [
        properties.string('ResponseType'),
        {
          status: properties.optionalNumber('StatusCode'),
          headers: headersOf(properties),
          body: bodyOf(properties),
        },
      ];
    }),
  );
}

function headersOf(properties: Properties): [string, string][] {
  return Object.entries(properties.strings('ResponseParameters')).map(([name, value]) => {
    const literal = /^'(.*)'$/s.exec(value)?.[1];
    if (!name.startsWith(HEADER_PREFIX) || literal === undefined)
      throw unsupported(`${properties.path}.ResponseParameters: ${name} with ${value}`, FILE);
    return [name.slice(HEADER_PREFIX.length), literal];
  });
}

function bodyOf(properties: Properties): string | undefined {
  const { 'application/json': json, ...others } = properties.strings('ResponseTemplates');
  const [other] = Object.keys(others);
  if (other !== undefined || json?.includes('$'))
    throw unsupported(`${properties.path}.ResponseTemplates: ${other ?? json}`, FILE);
  return json;
}

/**
 * The response of API Gateway itself: the template's gateway response of that type, otherwise its DEFAULT_4XX or
 * DEFAULT_5XX, otherwise AWS's default.
 */
export function gatewayResponse(type: GatewayResponseType, responses: GatewayResponses): HttpResponse {
  const standard = defaultResponses[type];
  const fallback = standard.status < 500 ? 'DEFAULT_4XX' : 'DEFAULT_5XX';
  const configured = responses.get(type) ?? responses.get(fallback);
  return {
    status: configured?.status ?? standard.status,
    headers: [
      ['Content-Type', 'application/json'],
      ['x-amzn-ErrorType', standard.errorType],
      ...(configured?.headers ?? []),
    ],
    body: Buffer.from(configured?.body ?? JSON.stringify({ message: standard.message })),
  };
}
