import { unsupported } from '../emulator-error.ts';
import type { Properties } from '../properties.ts';
import type { Resolver } from '../template/resolver.ts';
import type { Resource } from '../template/resource.ts';

const FILE = 'emulator/rest-api/routes.ts';

/** A method of the REST API. */
export interface Route {
  /** Of HTTP, or ANY. */
  readonly method: string;
  /** Of its resource, for example `/plants/{id}`. */
  readonly path: string;
  readonly resourceId: string;
  /** The logical id of its authorizer. */
  readonly authorizerId: string | undefined;
  /** The integration's URI, which contains the function's ARN. */
  readonly uri: string;
  readonly timeoutMs: number;
}

/** @throws EmulatorError if the authorization or integration of a method is unsupported */
export function parseRoutes(resources: readonly Resource[], resolver: Resolver): readonly Route[] {
  const paths = new Map(
    resources
      .filter(({ type }) => type === 'AWS::ApiGateway::Resource')
      .map((resource) => [resource.logicalId, resolver.properties(resource)]),
  );
  const pathOf = (resourceId: string): string => {
    const resource = paths.get(resourceId);
    if (resource === undefined) return '';
    return `${pathOf(resource.string('ParentId'))}/${resource.string('PathPart')}`;
  };
  return resources
    .filter(({ type }) => type === 'AWS::ApiGateway::Method')
    .map((resource) => {
      const method = resolver.properties(resource);
      return parseMethod(method, pathOf(method.string('ResourceId')) || '/');
    });
}

function parseMethod(properties: Properties, path: string): Route {
  const integration = properties.object('Integration');
  const type = integration.optionalString('Type');
  if (type !== 'AWS_PROXY')
    throw unsupported(`${properties.path}: the integration type ${String(type)}`, FILE);
  const authorization = properties.optionalString('AuthorizationType');
  if (authorization !== 'CUSTOM' && authorization !== 'NONE')
    throw unsupported(`${properties.path}: the AuthorizationType ${String(authorization)}`, FILE);
  return {
    method: properties.string('HttpMethod'),
    path,
    resourceId: properties.string('ResourceId'),
    authorizerId: authorization === 'CUSTOM' ? properties.string('AuthorizerId') : undefined,
    uri: integration.string('Uri'),
    timeoutMs: integration.optionalNumber('TimeoutInMillis') ?? 29_000,
  };
}
