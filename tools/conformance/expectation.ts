import { isDeepStrictEqual } from 'node:util';
import type { HttpResponse } from './http-client.ts';

export interface Expectation {
  readonly status: number | readonly number[];
  /** The body is exactly this Plant. */
  readonly plant?: Readonly<Record<string, string>>;
  /** The body is an Error with this code. A 401 also has the header WWW-Authenticate. */
  readonly error?: number;
  /** The body is not an Error, because AWS's front end sent the response. */
  readonly frontEnd?: true;
  /** A conflict is also accepted, because another plant may already have the id that the row needs. */
  readonly orConflict?: true;
  /** The value of the header x-amzn-ErrorType. */
  readonly errorType?: string;
  /** Text that the body contains. */
  readonly text?: string;
}

export function created(name: string, tag?: string): Expectation {
  return { status: 200, plant: tag === undefined ? { name } : { name, tag } };
}

/** The expected response to a request with the body PLANT. */
export const CREATED = created('Ficus', 'indoor');

/** An error that the operation returns. */
export function rejected(error: number): Expectation {
  return { status: 400, error };
}

const CONFLICT = rejected(1004);

/** An error that API Gateway itself returns. */
export function gatewayError(status: number): Expectation {
  return { status, error: 2000 + status };
}

/** A response from AWS's front end, which rejects a request before AWS looks up the API. */
export function frontEnd(status: number | readonly number[], text?: string): Expectation {
  return { status, frontEnd: true, ...(text && { text }) };
}

export function meets(response: HttpResponse, expected: Expectation): boolean {
  const { status, headers, body } = response;
  if (expected.orConflict && meets(response, CONFLICT)) return true;
  const statuses: readonly number[] = [expected.status].flat();
  const json = headers['content-type'] === 'application/json' ? parsed(body) : undefined;
  return (
    statuses.includes(status) &&
    (expected.plant === undefined || isDeepStrictEqual(json, expected.plant)) &&
    (expected.error === undefined || (isError(json) && json.error === expected.error)) &&
    (expected.error !== 2401 || /^Bearer /.test(headers['www-authenticate'] ?? '')) &&
    (expected.errorType === undefined || headers['x-amzn-errortype'] === expected.errorType) &&
    !(expected.frontEnd && isError(parsed(body))) &&
    (expected.text === undefined || body.includes(expected.text))
  );
}

function isError(json: unknown): json is { error: number } {
  if (typeof json !== 'object' || json === null || !('error' in json && 'message' in json)) return false;
  return Number.isInteger(json.error) && typeof json.message === 'string';
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/** Describes an expectation in a few words. */
export function describeExpectation(expectation: Expectation): string {
  const { status, plant, error, orConflict, errorType, frontEnd, text } = expectation;
  const challenge = error === 2401 && 'WWW-Authenticate';
  const body = [plant && shortened(JSON.stringify(plant)), error && `error ${error}`, challenge];
  const parts = [[status].flat().join(' or '), ...body, errorType, frontEnd && 'no Error body', text];
  const description = parts.filter(Boolean).join(', ');
  return orConflict
    ? `${description}; or ${describeExpectation(CONFLICT)} if a different plant has this id`
    : description;
}

/** Describes a response in one line of any length. */
export function describeResponse({ status, headers, body }: HttpResponse): string {
  const shown = ['content-type', 'x-amzn-errortype', 'www-authenticate'].filter((name) => name in headers);
  return [status, ...shown.map((name) => `${name}: ${headers[name]}`), body || 'no body'].join(', ');
}

/** Shortens a text to one line of at most about 240 characters, without control characters. */
export function shortened(text: string): string {
  const line = text.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim();
  return line.length > 240 ? `${line.slice(0, 240)} …` : line;
}
