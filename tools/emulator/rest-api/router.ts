import type { Invoke } from '../functions/invocation.ts';
import type { Authorize } from './authorizer.ts';

/** A method of the API, and the steps that handle its requests. */
export interface Endpoint {
  /** An HTTP method, or ANY. */
  readonly method: string;
  /** The path of the method's resource, for example `/plants/{id}`. */
  readonly path: string;
  readonly resourceId: string;
  readonly timeoutMs: number;
  readonly authorize: Authorize | undefined;
  readonly invoke: Invoke;
}

export interface Match {
  readonly endpoint: Endpoint;
  /** Still encoded, because a REST API does not decode path parameters. Null if the path has no parameters. */
  readonly pathParameters: Readonly<Record<string, string>> | null;
}

export type Router = (method: string, path: string) => Match | undefined;

/** The methods that ANY includes. */
const METHODS = new Set(['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT']);

/**
 * Routes by path and method together, as API Gateway does: to the most specific matching resource that has the method.
 * A resource that lacks the method does not hide `{proxy+}` (measured in AWS in ministackorg/ministack#1423 and
 * floci-io/floci#3399).
 */
export function createRouter(endpoints: readonly Endpoint[]): Router {
  const candidates = endpoints
    .map((endpoint) => ({ endpoint, order: orderOf(endpoint), pattern: patternOf(endpoint.path) }))
    .sort((a, b) => a.order.localeCompare(b.order));
  return (method, path) => {
    // As in AWS, routing ignores one trailing slash (tested in aws-powertools/powertools-lambda-python#1577).
    const routed = path.replace(/(?<=.)\/$/, '');
    for (const { endpoint, pattern } of candidates) {
      const declared = endpoint.method;
      if (declared !== method && !(declared === 'ANY' && METHODS.has(method))) continue;
      const values = pattern.expression.exec(routed)?.slice(1);
      if (values === undefined) continue;
      const pairs = pattern.names.map((name, index) => [name, values[index] ?? '']);
      return { endpoint, pathParameters: pairs.length === 0 ? null : Object.fromEntries(pairs) };
    }
    return undefined;
  };
}

/**
 * Returns the sort key of an endpoint. In each segment of the path, static text comes before a parameter (`{id}` or
 * `{proxy+}`; a resource has at most one such child). For equal paths, a specific method comes before ANY.
 */
function orderOf({ method, path }: Endpoint): string {
  const segments = path.split('/').map((segment) => (segment.startsWith('{') ? '1' : '0'));
  const anyMethod = method === 'ANY' ? '1' : '0';
  return segments.join('') + anyMethod;
}

/** `{id}` matches one segment; `{proxy+}` matches one or more segments. */
function patternOf(path: string): {
  readonly names: readonly string[];
  readonly expression: RegExp;
} {
  const names: string[] = [];
  const segments = path.split('/').map((segment) => {
    const [, name, greedy] = /^\{(.+?)(\+?)\}$/.exec(segment) ?? [];
    if (name === undefined) return RegExp.escape(segment);
    names.push(name);
    return greedy ? '(.+)' : '([^/]+)';
  });
  return { names, expression: new RegExp(`^${segments.join('/')}$`, 's') };
}
