import type { Resolver } from '../template/intrinsics.ts';
import type { Resource } from '../template/template.ts';
import { defaultResponses, type GatewayResponseType } from './gateway-error.ts';
import type { GatewayRequest } from './request.ts';
import type { HttpResponse } from './response.ts';

interface GatewayResponse {
  readonly status: number | undefined;
  /** By header name: a `'literal'` or a mapping such as `method.request.header.Origin`. */
  readonly headers: Readonly<Record<string, string>>;
  /** By media type. */
  readonly templates: Readonly<Record<string, string>>;
}

/** The gateway responses of the template, by response type. */
export type GatewayResponses = ReadonlyMap<string, GatewayResponse>;

const HEADER_PREFIX = 'gatewayresponse.header.';

export function parseGatewayResponses(resources: readonly Resource[], resolver: Resolver): GatewayResponses {
  const configured = resources.filter(({ type }) => type === 'AWS::ApiGateway::GatewayResponse');
  return new Map(
    configured.map((resource): [string, GatewayResponse] => {
      const properties = resolver.properties(resource);
      const headers = Object.entries(properties.strings('ResponseParameters'))
        .filter(([name]) => name.startsWith(HEADER_PREFIX))
        .map(([name, value]) => [name.slice(HEADER_PREFIX.length), value]);
      return [
        properties.string('ResponseType'),
        {
          status: properties.optionalNumber('StatusCode'),
          headers: Object.fromEntries(headers),
          templates: properties.strings('ResponseTemplates'),
        },
      ];
    }),
  );
}

/**
 * The response of API Gateway itself: the template's gateway response of that type, otherwise its DEFAULT_4XX or
 * DEFAULT_5XX, otherwise AWS's default.
 */
export function gatewayResponse(
  type: GatewayResponseType,
  responses: GatewayResponses,
  request: GatewayRequest,
): HttpResponse {
  const standard = defaultResponses[type];
  const fallback = standard.status < 500 ? 'DEFAULT_4XX' : 'DEFAULT_5XX';
  const configured = responses.get(type) ?? responses.get(fallback);
  const variables = errorVariables(type, standard.message, request);
  const templates = Object.entries(configured?.templates ?? {});
  const [mediaType = 'application/json', template = '{"message":$context.error.messageString}'] =
    templates.find(([name]) => name === 'application/json') ?? templates[0] ?? [];
  const headers = Object.entries(configured?.headers ?? {}).map(([name, value]): [string, string] => [
    name,
    /^'(.*)'$/s.exec(value)?.[1] ?? variable(value, variables, request),
  ]);
  return {
    status: configured?.status ?? standard.status,
    headers: [['Content-Type', mediaType], ['x-amzn-ErrorType', standard.errorType], ...headers],
    body: Buffer.from(substitute(template, variables, request)),
  };
}

type Variables = Readonly<Record<string, string>>;

function errorVariables(type: GatewayResponseType, message: string, request: GatewayRequest): Variables {
  return {
    'context.error.message': message,
    'context.error.messageString': JSON.stringify(message),
    'context.error.responseType': type,
    'context.requestId': request.requestId,
    'context.extendedRequestId': request.requestId,
    'context.httpMethod': request.method,
    'context.path': request.path,
    'context.protocol': 'HTTP/1.1',
    'context.stage': request.stage,
    'context.apiId': request.apiId,
    'context.identity.sourceIp': request.sourceIp,
    'context.requestTimeEpoch': String(request.timeEpoch),
  };
}

/** Gateway responses support simple variables only, not the Velocity language of other mapping templates. */
function substitute(template: string, variables: Variables, request: GatewayRequest): string {
  const reference = /\$(\{[\w.-]+\}|context(?:\.\w+)+|stageVariables\.\w+|method\.request\.\w+\.[\w-]+)/g;
  return template.replace(reference, (_, name: string) =>
    variable(name.replace(/[{}]/g, ''), variables, request),
  );
}

function variable(name: string, variables: Variables, request: GatewayRequest): string {
  const after = (prefix: string) => (name.startsWith(prefix) ? name.slice(prefix.length) : undefined);
  const header = after('method.request.header.');
  if (header !== undefined) return request.header(header) ?? '';
  const parameter = after('method.request.querystring.');
  if (parameter !== undefined) return request.query.get(parameter) ?? '';
  const stageVariable = after('stageVariables.');
  if (stageVariable !== undefined) return request.stageVariables[stageVariable] ?? '';
  return variables[name] ?? '';
}
