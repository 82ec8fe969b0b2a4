import { unsupported } from '../emulator-error.ts';
import type { Resolver } from '../template/intrinsics.ts';
import type { Properties } from '../template/properties.ts';
import type { Resource } from '../template/template.ts';

const FILE = 'emulator/rest-api/routes.ts';

/** A method of the REST API. */
export interface Route {
  readonly method: string;
  /** The resource's path, for example `/plants/{id}`. */
  readonly resourcePath: string;
  readonly resourceId: string;
  /** The logical id of its authorizer. */
  readonly authorizerId: string | undefined;
  /** The integration's URI, which contains the function's ARN. */
  readonly uri: string;
  readonly timeoutMs: number;
}

export interface Match {
  readonly route: Route;
  readonly pathParameters: Readonly<Record<string, string>> | undefined;
}

export type Router = (method: string, path: string) => Match | undefined;

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

function parseMethod(method: Properties, resourcePath: string): Route {
  const integration = method.object('Integration');
  const type = integration.optionalString('Type');
  if (type !== 'AWS_PROXY') throw unsupported(`${method.path}: the integration type ${String(type)}`, FILE);
  const authorization = method.optionalString('AuthorizationType');
  if (authorization !== 'CUSTOM' && authorization !== 'NONE')
    throw unsupported(`${method.path}: the AuthorizationType ${String(authorization)}`, FILE);
  return {
    method: method.string('HttpMethod'),
    resourcePath,
    resourceId: method.string('ResourceId'),
    authorizerId: authorization === 'CUSTOM' ? method.string('AuthorizerId') : undefined,
    uri: integration.string('Uri'),
    timeoutMs: integration.optionalNumber('TimeoutInMillis') ?? 29_000,
  };
}

/**
 * Literal path parts win over `{parameters}`, and those over a greedy `{proxy+}`. As in AWS, routing ignores one slash
 * at the end (tested in aws-powertools/powertools-lambda-python#1577).
 */
export function createRouter(routes: readonly Route[]): Router {
  const resources = new Map<string, { readonly pattern: RegExp; readonly methods: Map<string, Route> }>();
  for (const route of [...routes].sort((a, b) => rank(a.resourcePath).localeCompare(rank(b.resourcePath)))) {
    const resource = resources.get(route.resourcePath) ?? {
      pattern: patternOf(route.resourcePath),
      methods: new Map(),
    };
    resource.methods.set(route.method, route);
    resources.set(route.resourcePath, resource);
  }
  return (method, path) => {
    for (const { pattern, methods } of resources.values()) {
      const found = pattern.exec(path);
      if (found === null) continue;
      const route = methods.get(method) ?? methods.get('ANY');
      return route && { route, pathParameters: found.groups && parameters(found.groups) };
    }
    return undefined;
  };
}

function rank(resourcePath: string): string {
  return resourcePath.replace(/\{\w+\+\}/g, '\u{10ffff}').replace(/\{\w+\}/g, '\u{10fffe}');
}

function patternOf(resourcePath: string): RegExp {
  const parts = resourcePath
    .split('/')
    .filter(Boolean)
    .map((part) => {
      const [, name, greedy] = /^\{([\w.-]+)(\+?)\}$/.exec(part) ?? [];
      if (name === undefined) return part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
      return `(?<${name}>${greedy ? '[^/].*?' : '[^/]+'})`;
    });
  return new RegExp(`^/${parts.join('/')}${parts.length > 0 ? '/?' : ''}$`, 's');
}

function parameters(groups: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(groups).map(([name, value]) => [name, decode(value)]));
}

function decode(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
