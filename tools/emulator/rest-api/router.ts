import type { Route } from './routes.ts';

/** Where a request goes. */
export interface Match<Endpoint> {
  readonly endpoint: Endpoint;
  /** As the client sent them: a REST API does not decode them. Null if the resource has none. */
  readonly pathParameters: Readonly<Record<string, string>> | null;
}

export type Router<Endpoint> = (method: string, path: string) => Match<Endpoint> | undefined;

/** What the method ANY of a resource stands for. */
const METHODS = new Set(['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT']);

/**
 * Routes by resource and method together, as API Gateway does: to the most specific resource that has the method, so
 * one without it does not hide `{proxy+}` (measured in AWS in ministackorg/ministack#1423 and floci-io/floci#3399).
 */
export function createRouter<Endpoint extends { readonly route: Route }>(
  endpoints: readonly Endpoint[],
): Router<Endpoint> {
  const candidates = endpoints
    .map((endpoint) => ({
      endpoint,
      order: orderOf(endpoint.route),
      pattern: patternOf(endpoint.route.path),
    }))
    .sort((a, b) => a.order.localeCompare(b.order));
  return (method, path) => {
    for (const { endpoint, pattern } of candidates) {
      const declared = endpoint.route.method;
      if (declared !== method && !(declared === 'ANY' && METHODS.has(method))) continue;
      const values = pattern.expression.exec(routedPath(path))?.slice(1);
      if (values === undefined) continue;
      const pairs = pattern.names.map((name, index) => [name, values[index] ?? '']);
      return { endpoint, pathParameters: pairs.length === 0 ? null : Object.fromEntries(pairs) };
    }
    return undefined;
  };
}

/** As in AWS, routing ignores one slash at the end (tested in aws-powertools/powertools-lambda-python#1577). */
export function routedPath(path: string): string {
  return path.replace(/(?<=.)\/$/, '');
}

/**
 * Sorts the routes that match a path: at each segment a static one before a parameter, of which a resource has at most
 * one, `{id}` or `{proxy+}`; then the method itself before ANY.
 */
function orderOf({ method, path }: Route): string {
  const parameters = path.split('/').map((segment) => segment.startsWith('{'));
  return [...parameters, method === 'ANY'].map(Number).join('');
}

/** `{id}` matches one segment, `{proxy+}` one or more. */
function patternOf(path: string): { readonly names: readonly string[]; readonly expression: RegExp } {
  const names: string[] = [];
  const segments = path.split('/').map((segment) => {
    const [, name, greedy] = /^\{(.+?)(\+?)\}$/.exec(segment) ?? [];
    if (name === undefined) return segment.replace(/[.$]/g, '\\$&');
    names.push(name);
    return greedy ? '(.+)' : '([^/]+)';
  });
  return { names, expression: new RegExp(`^${segments.join('/')}$`, 's') };
}
