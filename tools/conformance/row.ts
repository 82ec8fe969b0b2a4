import type { Expectation } from './expectation.ts';

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
  readonly headers?: readonly Header[];
  /** PLANT by default. */
  readonly body?: string | Buffer;
  readonly chunked?: true;
}

export type Header = readonly [name: string, value: string];

/** A request in the comparison. */
export interface Row {
  readonly name: string;
  readonly request: RowRequest;
  /** What the contract promises, or somebody recorded in AWS. Without it, the row is an open question. */
  readonly expected?: Expectation;
  /** Who recorded or documented the expected response; by default, the source is this service's contract. */
  readonly source?: string;
  /** The bodies of requests that are sent first, to create plants or a conflict. */
  readonly before?: readonly string[];
  /** The request is sent twice, and both responses must be the same. */
  readonly twice?: true;
  /** The row is skipped if the base URL contains no stage, as for the emulator or a custom domain. */
  readonly needsStage?: true;
  /** The request is also sent to prod: it does not count toward an alarm, and creates at most the plant LAST_ID. */
  readonly inProd?: boolean;
}

export interface Subject {
  readonly title: string;
  readonly rows: readonly Row[];
}

export const TOKEN: Header = ['Authorization', 'Bearer <token>'];
export const JSON_TYPE: Header = ['Content-Type', 'application/json'];
export const PLANT = '{"id":<id>,"name":"Ficus","tag":"indoor"}';
