import type { Expectation } from './expectation.ts';

/**
 * A request as data. In the path, headers, body and `raw`, `<id>` and `<next>` stand for two ids of this row alone,
 * `<token>` for the access token, `<wrong>` for the token with another end, `<base>` for the path of the base URL,
 * and `<host>` for its host.
 */
export interface RowRequest {
  /** POST by default. */
  readonly method?: string;
  /** `<base>/plants` by default. */
  readonly path?: string;
  /** The token and `application/json` by default. */
  readonly headers?: readonly Header[];
  /** Beside those. */
  readonly extraHeaders?: readonly Header[];
  readonly body?: string | Buffer;
  readonly chunked?: true;
  readonly version?: '1.0';
  /** The whole request, instead of all that. */
  readonly raw?: string;
}

export type Header = readonly [name: string, value: string];

interface Sent {
  /** Unique, because docs/proven-in-aws.md refers to rows by name. */
  readonly name: string;
  /** Bodies that are sent first, for their effect. */
  readonly before?: readonly string[];
  readonly request: RowRequest;
  /** Whether it makes sense only with a stage in the base URL, which the emulator does not have. */
  readonly needsStage?: true;
}

/** A behaviour that is promised by the contract, or recorded in AWS. */
export interface SettledRow extends Sent {
  readonly expected: Expectation;
  /** Who recorded it, or documents it, if it is not this service's own contract. */
  readonly source?: string;
}

/** A behaviour of AWS that nobody has recorded. */
export interface OpenRow extends Sent {
  readonly outcomes: readonly Outcome[];
}

export interface Outcome {
  readonly seen: Expectation;
  /** What follows from it: what is right, or which file and which decision change. */
  readonly means: string;
}

/** A question that no request answers, because the stack must be changed for it or a log read. */
export interface ManualRow {
  readonly name: string;
  readonly todo: string;
  readonly means: string;
}

export type Row = SettledRow | OpenRow | ManualRow;

export interface Subject {
  readonly title: string;
  readonly rows: readonly Row[];
}

export const AUTHORIZED: Header = ['Authorization', 'Bearer <token>'];
export const JSON_TYPE: Header = ['Content-Type', 'application/json'];

export const PLANT_BODY = '{"id":<id>,"name":"Ficus","tag":"indoor"}';
