import type { Invoke } from '../functions/invocation.ts';
import type { Authorizer } from './authorizer.ts';

/** A method of the API, and the steps that handle its requests. */
export interface Route {
  readonly method: string;
  /** The path of the method's resource, for example `/plants/{id}`. */
  readonly path: string;
  readonly resourceId: string;
  readonly timeoutMs: number;
  readonly authorize: Authorizer | undefined;
  readonly invoke: Invoke;
}

export interface Match {
  readonly route: Route;
  /** Still encoded, because a REST API does not decode path parameters. Null if the path has no parameters. */
  readonly pathParameters: Readonly<Record<string, string>> | null;
}

export type Router = (method: string, path: string) => Match | undefined;

/**
 * Routes by path and method together, as API Gateway does: to the most specific matching resource that has the method.
 * A resource that lacks the method does not hide a parameter (measured in AWS in floci-io/floci#3399).
 */
export function createRouter(routes: readonly Route[]): Router {
  // Static text sorts before a parameter, because `{` comes after every other character that AWS allows in a path.
  const candidates = routes.toSorted((a, b) => (a.path < b.path ? -1 : 1));
  return (method, path) => {
    const values = path.split('/');
    // As in AWS, routing ignores one trailing slash (tested in aws-powertools/powertools-lambda-python#1577).
    if (values.length > 2 && values.at(-1) === '') values.pop();
    const route = candidates.find(
      (each) => each.method === method && matches(each.path.split('/'), values),
    );
    if (route === undefined) return undefined;
    const parameters = route.path
      .split('/')
      .flatMap((part, index) => (isParameter(part) ? [[part.slice(1, -1), values[index]]] : []));
    return {
      route,
      pathParameters: parameters.length === 0 ? null : Object.fromEntries(parameters),
    };
  };
}

function matches(parts: readonly string[], values: readonly string[]): boolean {
  return (
    parts.length === values.length &&
    parts.every((part, index) =>
      isParameter(part) ? values[index] !== '' : part === values[index],
    )
  );
}

function isParameter(part: string): boolean {
  return part.startsWith('{');
}
