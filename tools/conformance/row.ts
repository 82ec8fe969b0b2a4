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

interface AnyRow {
  readonly name: string;
  readonly request: RowRequest;
  /** Bodies that are sent first, for their effect. */
  readonly before?: readonly string[];
  /** The request is sent twice, and both responses must be the same. */
  readonly twice?: true;
  /** The row needs a stage in the base URL, and the emulator's base URL has none. */
  readonly needsStage?: true;
  /** The row is also sent in prod, because it leaves nothing behind, and no alarm counts it as a rejection. */
  readonly inProd?: boolean;
}

/** A behavior that the contract promises, or that somebody recorded in AWS. */
export interface SettledRow extends AnyRow {
  readonly expected: Expectation;
  /** Who recorded or documented the behavior; by default, the source is this service's contract. */
  readonly source?: string;
}

/** A behavior of AWS that nobody has recorded. */
export interface OpenRow extends AnyRow {
  readonly outcomes: readonly Outcome[];
}

/** A possible response, and what it means: that something is right, or which file or decision to change. */
export type Outcome = readonly [seen: Expectation, means: string];

export type Row = SettledRow | OpenRow;

export interface Subject {
  readonly title: string;
  readonly rows: readonly Row[];
}

export const TOKEN: Header = ['Authorization', 'Bearer <token>'];
export const JSON_TYPE: Header = ['Content-Type', 'application/json'];
export const PLANT = '{"id":<id>,"name":"Ficus","tag":"indoor"}';
