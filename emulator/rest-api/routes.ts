import { unsupported } from '../emulator-error.ts';
import { numberOf, objectOf, required, textOf } from '../json.ts';
import type { Resolver } from '../template/intrinsics.ts';
import type { Resource } from '../template/template.ts';
import { literally } from './regular-expression.ts';

/** A method of the REST API. */
export interface Route {
  readonly method: string;
  /** The resource's path, for example `/plants/{id}`. */
  readonly resourcePath: string;
  readonly resourceId: string;
  /** The logical id of its authorizer. */
  readonly authorizerId: string | undefined;
  /** The integration's, which names the function. */
  readonly uri: string;
  readonly timeoutMs: number;
}

export interface Match {
  readonly route: Route;
  readonly pathParameters: Readonly<Record<string, string>> | undefined;
}

export type Router = (method: string, path: string) => Match | undefined;

/** @throws EmulatorError for a method whose authorization or integration the emulator can't honour */
export function parseRoutes(resources: readonly Resource[], resolver: Resolver): readonly Route[] {
  const paths = new Map(
    resources
      .filter(({ type }) => type === 'AWS::ApiGateway::Resource')
      .map((resource) => [resource.logicalId, resource]),
  );
  const pathOf = (resourceId: string): string => {
    const resource = paths.get(resourceId);
    if (resource === undefined) return '';
    return `${pathOf(text(resource, 'ParentId', resolver))}/${text(resource, 'PathPart', resolver)}`;
  };
  return resources
    .filter(({ type }) => type === 'AWS::ApiGateway::Method')
    .map((method) => parseMethod(method, pathOf(text(method, 'ResourceId', resolver)) || '/', resolver));
}

function parseMethod(method: Resource, resourcePath: string, resolver: Resolver): Route {
  const { logicalId } = method;
  const integration = objectOf(resolver.property(method, 'Integration'), `${logicalId}.Integration`);
  const { Type: type = 'none' } = integration;
  if (type !== 'AWS_PROXY') {
    throw unsupported(
      `${logicalId}: the emulator knows AWS_PROXY integrations only, not ${String(type)}`,
      'emulator/rest-api/routes.ts',
    );
  }
  const authorization = textOf(
    resolver.property(method, 'AuthorizationType'),
    `${logicalId}.AuthorizationType`,
  );
  if (authorization !== 'CUSTOM' && authorization !== 'NONE') {
    throw unsupported(
      `${logicalId}: the emulator knows no AuthorizationType ${authorization}`,
      'emulator/rest-api/routes.ts',
    );
  }
  return {
    method: text(method, 'HttpMethod', resolver),
    resourcePath,
    resourceId: text(method, 'ResourceId', resolver),
    authorizerId: authorization === 'CUSTOM' ? text(method, 'AuthorizerId', resolver) : undefined,
    uri: required(textOf(integration.Uri, `${logicalId}.Uri`), `${logicalId}.Uri`),
    timeoutMs: numberOf(integration.TimeoutInMillis, `${logicalId}.TimeoutInMillis`) ?? 29_000,
  };
}

function text(resource: Resource, name: string, resolver: Resolver): string {
  const where = `${resource.logicalId}.${name}`;
  return required(textOf(resolver.property(resource, name), where), where);
}

/**
 * Literal path parts win over `{parameters}`, and those over a greedy `{proxy+}`. As in AWS, one slash at the end
 * changes nothing for the routing (aws-powertools/powertools-lambda-python#1577 tested it).
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
      if (name === undefined) return literally(part);
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
