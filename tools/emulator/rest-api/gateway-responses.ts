import { unsupported } from '../emulator-error.ts';
import type { Properties } from '../properties.ts';
import type { Resolver } from '../template/resolver.ts';
import type { Resource } from '../template/resource.ts';
import { defaultResponses, type GatewayResponseType } from './gateway-error.ts';
import type { HttpResponse } from './response.ts';

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
