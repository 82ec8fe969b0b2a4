import { EmulatorError } from '../emulator-error.ts';
import type { FunctionDefinition } from '../functions/definition.ts';
import { functionOfUri } from '../functions/definition.ts';
import type { Invoke } from '../functions/invocation.ts';
import { required, textOf, textsOf } from '../json.ts';
import type { Resolver } from '../template/intrinsics.ts';
import type { Resource } from '../template/template.ts';
import { type Authorize, createAuthorize, parseAuthorizer } from './authorizer.ts';
import { type IsBinary, parseBinaryMediaTypes } from './binary-media-types.ts';
import { type GatewayResponses, parseGatewayResponses } from './gateway-responses.ts';
import type { StageOfApi } from './request.ts';
import { createRouter, parseRoutes, type Route, type Router } from './routes.ts';
import { type Throttle, throttleOf } from './throttle.ts';

/** What a request to one method goes through. */
export interface Endpoint {
  readonly throttle: Throttle;
  readonly authorize: Authorize | undefined;
  readonly invoke: Invoke;
}

/** The template's REST API, ready to be served. */
export interface RestApi {
  readonly stage: StageOfApi;
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
  readonly assembly: string;
  /** Has no side effects. */
  readonly invokeOf: (definition: FunctionDefinition) => Invoke;
}

/** @throws EmulatorError for anything that the emulator can't serve as API Gateway would */
export function createRestApi({ resources, resolver, assembly, invokeOf }: RestApiOptions): RestApi {
  const api = only('AWS::ApiGateway::RestApi', resources);
  const stage = only('AWS::ApiGateway::Stage', resources);
  const routes = parseRoutes(resources, resolver);
  const invoke = (uri: string, where: string) => invokeOf(functionOfUri(uri, where, resolver, assembly));
  const authorizers = new Map(
    resources
      .filter(({ type }) => type === 'AWS::ApiGateway::Authorizer')
      .map((resource) => {
        const authorizer = parseAuthorizer(resource, resolver);
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
  const at = `${stage.logicalId}.StageName`;
  return {
    stage: {
      apiId: api.logicalId,
      stage: required(textOf(resolver.property(stage, 'StageName'), at), at),
      stageVariables: textsOf(resolver.property(stage, 'Variables'), `${stage.logicalId}.Variables`),
    },
    account: resolver.pseudo.account,
    region: resolver.pseudo.region,
    router: createRouter(routes),
    isBinary: parseBinaryMediaTypes(api, resolver),
    responses: parseGatewayResponses(resources, resolver),
    endpoints: new Map(
      routes.map((route) => [
        route,
        {
          throttle: throttleOf(route, stage, resolver),
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
    `the emulator needs exactly one ${type}; the template has ${found ? more.length + 1 : 'none'}: make it one in lib/`,
  );
}
