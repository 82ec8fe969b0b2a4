import type { Expectation } from './expectation.ts';

/**
 * A request as data. In all its strings, `<id>` and `<next>` stand for two ids that no other row uses, `<token>` for
 * the access token, `<wrong>` for the same token with another secret, and `<base>` for the path of the base URL.
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
  /** Needs a stage in the base URL, which the emulator does not have. */
  readonly needsStage?: true;
  /** Also compared in prod: it leaves nothing behind, and no alarm counts it as a rejection. */
  readonly inProd?: true;
}

/** A behavior that the contract promises, or that somebody recorded in AWS. */
export interface SettledRow extends AnyRow {
  readonly expected: Expectation;
  /** Who recorded or documented it; by default, the contract of this service. */
  readonly source?: string;
}

/** A behavior of AWS that nobody has recorded. */
export interface OpenRow extends AnyRow {
  readonly outcomes: readonly Outcome[];
}

/** A possible response, and what it means: what is right, or which file or decision to change. */
export type Outcome = readonly [seen: Expectation, means: string];

export type Row = SettledRow | OpenRow;

export interface Subject {
  readonly title: string;
  readonly rows: readonly Row[];
}

export const TOKEN: Header = ['Authorization', 'Bearer <token>'];
export const JSON_TYPE: Header = ['Content-Type', 'application/json'];
export const PLANT = '{"id":<id>,"name":"Ficus","tag":"indoor"}';
