import type { Expectation } from './expectation.ts';

/**
 * A request as data. In all of its strings, `<id>` and `<next>` stand for two ids of the row's own, `<token>` for the
 * access token, `<wrong>` for the same with another secret, and `<base>` for the path of the base URL.
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
  /** Whether it makes sense only with a stage in the base URL, which the emulator does not have. */
  readonly needsStage?: true;
  /** Whether it is compared in prod, too: it leaves nothing behind, and is no rejection that an alarm counts. */
  readonly inProd?: true;
}

/** A behaviour that the contract promises, or that somebody recorded in AWS. */
export interface SettledRow extends AnyRow {
  readonly expected: Expectation;
  /** Who recorded or documented it, if it is not this service's own contract. */
  readonly source?: string;
}

/** A behaviour of AWS that nobody has recorded. */
export interface OpenRow extends AnyRow {
  readonly outcomes: readonly Outcome[];
}

/** A possible response, and what follows from it: what is right, or which file or decision changes. */
export type Outcome = readonly [seen: Expectation, means: string];

export type Row = SettledRow | OpenRow;

export interface Subject {
  readonly title: string;
  readonly rows: readonly Row[];
}

export const TOKEN: Header = ['Authorization', 'Bearer <token>'];
export const JSON_TYPE: Header = ['Content-Type', 'application/json'];
export const PLANT = '{"id":<id>,"name":"Ficus","tag":"indoor"}';
