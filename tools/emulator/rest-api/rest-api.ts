import { EmulatorError, unsupported } from '../emulator-error.ts';
import { type FunctionDefinition, functionOfUri } from '../functions/definition.ts';
import type { Invoke } from '../functions/invocation.ts';
import type { Properties } from '../properties.ts';
import type { Resolver } from '../template/resolver.ts';
import type { Resource } from '../template/resource.ts';
import { type Authorize, createAuthorize, parseAuthorizer } from './authorizer.ts';
import { type GatewayResponses, parseGatewayResponses } from './gateway-responses.ts';
import { createRouter, type Router } from './router.ts';
import { parseRoutes, type Route } from './routes.ts';
import { type Throttle, throttleOf } from './throttle.ts';

/** What a request to one method goes through. */
export interface Endpoint {
  readonly route: Route;
  readonly throttle: Throttle;
  readonly authorize: Authorize | undefined;
  readonly invoke: Invoke;
}

/** The template's REST API. */
export interface RestApi {
  readonly apiId: string;
  readonly stage: string;
  readonly account: string;
  readonly region: string;
  /** Whether bodies reach the functions as base64. */
  readonly binary: boolean;
  readonly responses: GatewayResponses;
  readonly findEndpoint: Router<Endpoint>;
}

export interface RestApiOptions {
  readonly resources: readonly Resource[];
  readonly resolver: Resolver;
  /** The folder of an asset, by its path in the template. */
  readonly assetFolder: (asset: string) => string;
  /** Called once for each method and authorizer, so possibly more than once for the same function. */
  readonly invokeOf: (definition: FunctionDefinition) => Invoke;
}

/**
 * Parses the REST API of a template; nothing is started.
 * @throws EmulatorError naming what the emulator cannot serve as API Gateway would
 */
export function createRestApi({ resources, resolver, assetFolder, invokeOf }: RestApiOptions): RestApi {
  const api = only('AWS::ApiGateway::RestApi', resources);
  const stage = only('AWS::ApiGateway::Stage', resources);
  const stageProperties = resolver.properties(stage);
  const invoke = (uri: string, path: string) => invokeOf(functionOfUri(uri, path, resolver, assetFolder));
  const authorizers = new Map(
    resources
      .filter(({ type }) => type === 'AWS::ApiGateway::Authorizer')
      .map((resource) => {
        const authorizer = parseAuthorizer(resolver.properties(resource));
        return [resource.logicalId, createAuthorize(authorizer, invoke(authorizer.uri, resource.logicalId))];
      }),
  );
  const authorizeOf = ({ authorizerId }: Route) => {
    if (authorizerId === undefined) return undefined;
    const authorize = authorizers.get(authorizerId);
    if (authorize === undefined)
      throw new EmulatorError(
        `The template has no authorizer ${authorizerId}: add it to the stack, or name another`,
      );
    return authorize;
  };
  return {
    apiId: api.logicalId,
    stage: stageProperties.string('StageName'),
    account: resolver.pseudo.account,
    region: resolver.pseudo.region,
    binary: parseBinary(resolver.properties(api)),
    responses: parseGatewayResponses(resources, resolver),
    findEndpoint: createRouter(
      parseRoutes(resources, resolver).map((route) => ({
        route,
        throttle: throttleOf(route, stageProperties),
        authorize: authorizeOf(route),
        invoke: invoke(route.uri, `${route.method} ${route.path}`),
      })),
    ),
  };
}

/** Every media type, or none. */
function parseBinary(api: Properties): boolean {
  const types = api.array('BinaryMediaTypes');
  const other = types.find((type) => type !== '*/*');
  if (other !== undefined)
    throw unsupported(`${api.path}.BinaryMediaTypes: ${String(other)}`, 'emulator/rest-api/rest-api.ts');
  return types.length > 0;
}

function only(type: string, resources: readonly Resource[]): Resource {
  const [found, ...more] = resources.filter((resource) => resource.type === type);
  if (found !== undefined && more.length === 0) return found;
  throw new EmulatorError(
    `The emulator needs exactly one ${type}; the template has ${found ? more.length + 1 : 'none'}: change the stack`,
  );
}
