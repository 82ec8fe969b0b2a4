import type { IncomingHttpHeaders } from 'node:http';
import { operationErrors } from '../../lambda/shared/errors.ts';
import { jsonExample } from '../contract/example-requests.ts';

/**
 * A run may leave behind items with ids from this one to the largest int64; in prod, only the latter. JavaScript numbers
 * cannot represent these ids exactly. The only id outside this range is the smallest int64.
 */
export const FIRST_ID = 9_223_372_036_000_000_000n;

/** Rows send requests to this operation by default. */
export const { method: METHOD, path: PATH, template: TEMPLATE } = jsonExample();

/**
 * A request as data. Its strings can contain placeholders: `<id>` and `<next>` are two ids that no other row uses,
 * `<token>` is the access token, `<wrong>` is the same token with a different secret, and `<base>` is the path of the
 * base URL.
 */
export interface RowRequest {
  /** The example's by default. */
  readonly method?: string;
  /** `<base>` and the example's path by default. Without `<base>`, the row is sent only to a base URL with a stage. */
  readonly path?: string;
  /** The token and `application/json` by default. */
  readonly headers?: Readonly<Record<string, string>>;
  /** `INVALID_BODY` by default, so that a row changes nothing. */
  readonly body?: string | Buffer;
}

export interface RowResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** The known part of a response: the status, some headers, and the JSON body or text that the body contains. */
export type Expectation = Partial<RowResponse> & {
  /** A body with these fields, and no others. */
  readonly json?: object;
  readonly error?: number;
};

/** A request, and the expected response, if it is known. */
export interface Row extends RowRequest {
  readonly name: string;
  /**
   * What the contract promises, or somebody recorded in AWS; an array contains alternatives. Without it, the row is an
   * open question.
   */
  readonly expected?: Expectation | readonly Expectation[];
  /** Who recorded or documented the expected response; by default, the source is this service's contract. */
  readonly source?: string;
  /** The bodies of requests that are sent first, to create items or a conflict. */
  readonly before?: readonly string[];
  /** The request is also sent to prod: no alarm counts it as an error, and it creates at most one item. */
  readonly inProd?: boolean;
  /** The item that the row may leave behind in prod. */
  readonly item?: string;
}

export const TOKEN = { Authorization: 'Bearer <token>' };
export const JSON_TYPE = { 'Content-Type': 'application/json' };

const headers = { 'content-type': 'application/json' };

export function succeeded(json: object): Expectation {
  return { status: 200, headers, json };
}

export function rejected(error: number): Expectation {
  return { status: 400, headers, error };
}

export function gatewayError(status: number): Expectation {
  return { status, headers, error: 2000 + status };
}

/** The error of `INVALID_BODY`, which proves that the request arrived with its token and media type. */
export const ARRIVED = rejected(operationErrors.invalidBody.code);

export const UNAUTHORIZED: Expectation = {
  ...gatewayError(401),
  headers: { ...headers, 'www-authenticate': 'Bearer realm="plant-store"' },
};
