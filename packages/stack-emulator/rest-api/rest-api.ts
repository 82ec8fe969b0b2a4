import { UserError, unsupported } from '../errors.ts';
import type { Invoke } from '../functions/invocation.ts';
import type { Resolver, ResourceProperties } from '../template/intrinsics.ts';
import { createAuthorizer } from './authorizer.ts';
import { type GatewayResponseOf, parseGatewayResponses } from './gateway-responses.ts';
import { createRouter, type Route, type Router } from './router.ts';

export interface RestApi {
  readonly apiId: string;
  readonly stage: string;
  /** Whether functions receive the bodies of all requests as base64. */
  readonly binary: boolean;
  readonly gatewayResponse: GatewayResponseOf;
  readonly findRoute: Router;
}

/** Returns the `Invoke` for the URI of an integration or authorizer, which `from` names in errors. */
type InvokeOf = (uri: string, from: string) => Invoke;

/**
 * Parses the REST API of a template, but does not start anything.
 * @throws UserError that names whatever the emulator does not support
 */
export function parseRestApi(resolver: Resolver, invokeOf: InvokeOf): RestApi {
  const api = onlyOne(resolver, 'AWS::ApiGateway::RestApi');
  const types = api.array('BinaryMediaTypes');
  const other = types.find((each) => each !== '*/*');
  if (other !== undefined) throw unsupported(`${api.path}.BinaryMediaTypes: ${String(other)}`);
  return {
    apiId: api.logicalId,
    stage: onlyOne(resolver, 'AWS::ApiGateway::Stage').string('StageName'),
    binary: types.length > 0,
    gatewayResponse: parseGatewayResponses(resolver),
    findRoute: createRouter(parseRoutes(resolver, invokeOf)),
  };
}

function onlyOne(resolver: Resolver, type: string): ResourceProperties {
  const [found, ...more] = resolver.allOfType(type);
  if (found !== undefined && more.length === 0) return found;
  throw new UserError(
    `The template must have exactly one ${type}, got ${found ? more.length + 1 : 'none'}: change the stack`,
  );
}

function parseRoutes(resolver: Resolver, invokeOf: InvokeOf): readonly Route[] {
  const resources = resolver.allOfType('AWS::ApiGateway::Resource');
  const authorizers = new Map(
    resolver.allOfType('AWS::ApiGateway::Authorizer').map((authorizer) => {
      const invoke = invokeOf(authorizer.string('AuthorizerUri'), authorizer.path);
      return [authorizer.logicalId, createAuthorizer(authorizer, invoke)];
    }),
  );
  return resolver.allOfType('AWS::ApiGateway::Method').map((properties) => {
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
    const method = properties.string('HttpMethod');
    const resourceId = properties.string('ResourceId');
    const path = pathOf(resourceId, resources) || '/';
    if (method === 'ANY' || path.includes('+}'))
      throw unsupported(`${properties.path}: ${method} ${path}`);
    return {
      method,
      path,
      resourceId,
      timeoutMs: integration.optionalNumber('TimeoutInMillis') ?? 29_000,
      authorize,
      invoke: invokeOf(integration.string('Uri'), `${method} ${path}`),
    };
  });
}

/** Returns an empty string for the root, which is not among the resources. */
function pathOf(resourceId: string, resources: readonly ResourceProperties[]): string {
  const resource = resources.find(({ logicalId }) => logicalId === resourceId);
  if (resource === undefined) return '';
  return `${pathOf(resource.string('ParentId'), resources)}/${resource.string('PathPart')}`;
}
