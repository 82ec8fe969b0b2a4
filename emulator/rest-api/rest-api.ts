import { EmulatorError } from '../emulator-error.ts';
import { type FunctionDefinition, functionOfUri } from '../functions/definition.ts';
import type { Invoke } from '../functions/invocation.ts';
import type { Resolver } from '../template/intrinsics.ts';
import type { Resource } from '../template/template.ts';
import { type Authorize, createAuthorize, parseAuthorizer } from './authorizer.ts';
import { type GatewayResponses, parseGatewayResponses } from './gateway-responses.ts';
import { type ApiStage, type IsBinary, parseBinaryMediaTypes } from './request.ts';
import { createRouter, parseRoutes, type Route, type Router } from './routes.ts';
import { type Throttle, throttleOf } from './throttle.ts';

/** What a request to one method goes through. */
export interface Endpoint {
  readonly throttle: Throttle;
  readonly authorize: Authorize | undefined;
  readonly invoke: Invoke;
}

/** The template's REST API. */
export interface RestApi {
  readonly stage: ApiStage;
  readonly account: string;
  readonly region: string;
  readonly router: Router;
  readonly isBinary: IsBinary;
  readonly responses: GatewayResponses;
  readonly endpoints: ReadonlyMap<Route, Endpoint>;
}

export interface RestApiOptions {
  readonly resources: readonly Resource[];
  readonly resolver: Resolver;
  /** The folder that asset paths are relative to. */
  readonly assembly: string;
  /** Called once for each method and authorizer, so possibly more than once for the same function. */
  readonly invokeOf: (definition: FunctionDefinition) => Invoke;
}

/**
 * Parses the REST API of a template; nothing is started.
 * @throws EmulatorError naming what the emulator cannot serve as API Gateway would
 */
export function createRestApi({ resources, resolver, assembly, invokeOf }: RestApiOptions): RestApi {
  const api = only('AWS::ApiGateway::RestApi', resources);
  const stage = only('AWS::ApiGateway::Stage', resources);
  const stageProperties = resolver.properties(stage);
  const routes = parseRoutes(resources, resolver);
  const invoke = (uri: string, path: string) => invokeOf(functionOfUri(uri, path, resolver, assembly));
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
        `The template has no authorizer ${authorizerId}: add it in lib/, or name another`,
      );
    return authorize;
  };
  return {
    stage: {
      apiId: api.logicalId,
      stage: stageProperties.string('StageName'),
      stageVariables: stageProperties.strings('Variables'),
    },
    account: resolver.pseudo.account,
    region: resolver.pseudo.region,
    router: createRouter(routes),
    isBinary: parseBinaryMediaTypes(resolver.properties(api)),
    responses: parseGatewayResponses(resources, resolver),
    endpoints: new Map(
      routes.map((route) => [
        route,
        {
          throttle: throttleOf(route, stageProperties),
          authorize: authorizeOf(route),
          invoke: invoke(route.uri, `${route.method} ${route.resourcePath}`),
        },
      ]),
    ),
  };
}

function only(type: string, resources: readonly Resource[]): Resource {
  const [found, ...more] = resources.filter((resource) => resource.type === type);
  if (found !== undefined && more.length === 0) return found;
  throw new EmulatorError(
    `The emulator needs exactly one ${type}; the template has ${found ? more.length + 1 : 'none'}: change lib/`,
  );
}
