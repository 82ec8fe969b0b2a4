import type { Invoke } from '../functions/invocation.ts';
import type { Properties } from '../json.ts';
import type { Resolver, ResourceProperties } from '../template/intrinsics.ts';
import { UserError, unsupported } from '../user-error.ts';
import { createAuthorize } from './authorizer.ts';
import { type GatewayResponses, parseGatewayResponses } from './gateway-responses.ts';
import { createRouter, type Endpoint, type Router } from './router.ts';

export interface RestApi {
  readonly apiId: string;
  readonly stage: string;
  /** Whether functions receive the bodies of all requests as base64. */
  readonly binary: boolean;
  readonly gatewayResponse: GatewayResponses;
  readonly findEndpoint: Router;
}

/**
 * Parses the REST API of a template, but does not start anything.
 * @param invokeOf returns the `Invoke` for the URI of an integration or authorizer, which `path` names in errors
 * @throws UserError that names whatever the emulator does not support
 */
export function parseRestApi(
  resolver: Resolver,
  invokeOf: (uri: string, path: string) => Invoke,
): RestApi {
  const only = (type: string): ResourceProperties => {
    const [found, ...more] = resolver.propertiesOf(type);
    if (found !== undefined && more.length === 0) return found;
    throw new UserError(
      `The template must have exactly one ${type}, got ${found ? more.length + 1 : 'none'}: change the stack`,
    );
  };
  const api = only('AWS::ApiGateway::RestApi');
  const stage = only('AWS::ApiGateway::Stage');
  const types = api.array('BinaryMediaTypes');
  const other = types.find((each) => each !== '*/*');
  if (other !== undefined) throw unsupported(`${api.path}.BinaryMediaTypes: ${String(other)}`);
  const authorizers = new Map(
    resolver.propertiesOf('AWS::ApiGateway::Authorizer').map((authorizer) => {
      const invoke = invokeOf(authorizer.string('AuthorizerUri'), authorizer.path);
      return [authorizer.logicalId, createAuthorize(authorizer, invoke)];
    }),
  );
  const resources = resolver.propertiesOf('AWS::ApiGateway::Resource');
  const pathOf = (resourceId: string): string => {
    const resource = resources.find(({ logicalId }) => logicalId === resourceId);
    return resource ? `${pathOf(resource.string('ParentId'))}/${resource.string('PathPart')}` : '';
  };
  const endpointOf = (properties: Properties): Endpoint => {
    const integration = properties.object('Integration');
    const type = integration.string('Type');
    if (type !== 'AWS_PROXY') throw unsupported(`${properties.path}: the integration type ${type}`);
    const authorization = properties.string('AuthorizationType');
    const id = properties.optionalString('AuthorizerId') ?? 'none';
    const authorize = authorization === 'CUSTOM' ? authorizers.get(id) : undefined;
    if (authorize === undefined && authorization !== 'NONE') {
      throw unsupported(
        `${properties.path}: the AuthorizationType ${authorization} with the AuthorizerId ${id}`,
      );
    }
    const resourceId = properties.string('ResourceId');
    const route = {
      method: properties.string('HttpMethod'),
      path: pathOf(resourceId) || '/',
      resourceId,
    };
    if (route.method === 'ANY' || route.path.includes('+}'))
      throw unsupported(`${properties.path}: ${route.method} ${route.path}`);
    return {
      ...route,
      timeoutMs: integration.optionalNumber('TimeoutInMillis') ?? 29_000,
      authorize,
      invoke: invokeOf(integration.string('Uri'), `${route.method} ${route.path}`),
    };
  };
  return {
    apiId: api.logicalId,
    stage: stage.string('StageName'),
    binary: types.length > 0,
    gatewayResponse: parseGatewayResponses(resolver),
    findEndpoint: createRouter(resolver.propertiesOf('AWS::ApiGateway::Method').map(endpointOf)),
  };
}
