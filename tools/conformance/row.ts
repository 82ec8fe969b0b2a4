import type { HttpResponse } from './request.ts';

/** The range of ids of the plants that a run may leave behind; a JavaScript number cannot represent them exactly. */
export const FIRST_ID = 9_223_372_036_000_000_000n;
/** The largest int64, and the id of the only plant that a run leaves behind in prod. */
export const LAST_ID = 2n ** 63n - 1n;
/** The smallest int64, and the only id outside the range. */
export const SMALLEST_ID = -(2n ** 63n);

/**
 * A request as data. Its strings can contain placeholders: `<id>` and `<next>` are two ids that no other row uses,
 * `<token>` is the access token, `<wrong>` is the same token with a different secret, and `<base>` is the path of the
 * base URL.
 */
export interface RowRequest {
  /** POST by default. */
  readonly method?: string;
  /** `<base>/plants` by default. */
  readonly path?: string;
  /** The token and `application/json` by default. */
  readonly headers?: Readonly<Record<string, string>>;
  /** PLANT by default. */
  readonly body?: string | Buffer;
}

/** The known part of a response: the status, some headers, and text that the body contains. */
export type Expectation = Partial<HttpResponse>;

/** A request in the comparison. */
export interface Row extends RowRequest {
  readonly name: string;
  /**
   * What the contract promises, or somebody recorded in AWS; an array contains alternatives. Without it, the row is an
   * open question.
   */
  readonly expected?: Expectation | readonly Expectation[];
  /** Who recorded or documented the expected response; by default, the source is this service's contract. */
  readonly source?: string;
  /** The bodies of requests that are sent first, to create plants or a conflict. */
  readonly before?: readonly string[];
  /** The row is left out if the base URL contains no stage, as for the emulator or a custom domain. */
  readonly needsStage?: true;
  /** The request is also sent to prod: no alarm counts it as an error, and it creates at most the plant LAST_ID. */
  readonly inProd?: boolean;
}

export const TOKEN = { Authorization: 'Bearer <token>' };
export const JSON_TYPE = { 'Content-Type': 'application/json' };
/** The plant of events/create-plant.json, which has the same id as one row and must not conflict with that row. */
export const PLANT = '{"id":<id>,"name":"Ficus","tag":"indoor"}';

const headers = { 'content-type': 'application/json' };

export function created(name: string, tag?: string): Expectation {
  return { status: 200, headers, body: JSON.stringify({ name, tag }) };
}

/** The expected response to a request with the body PLANT. */
export const CREATED = created('Ficus', 'indoor');

/** An error that the operation returns. */
export function rejected(error: number): Expectation {
  return { status: 400, headers, body: `{"error":${error},"message":"` };
}

/** An error that API Gateway itself returns. */
export function gatewayError(status: number): Expectation {
  return { status, headers, body: `{"error":${2000 + status},"message":"` };
}

export const UNAUTHORIZED: Expectation = {
  ...gatewayError(401),
  headers: { ...headers, 'www-authenticate': 'Bearer realm="plant-store"' },
};
