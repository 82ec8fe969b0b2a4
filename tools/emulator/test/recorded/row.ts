import type { defaultResponses } from '../../rest-api/gateway-error.ts';
import type { Sent } from '../fixtures/http.ts';

/** What AWS returned for a request, and the source of the recording. */
export type Row = readonly [
  what: string,
  request: RecordedRequest,
  response: RecordedResponse,
  source: string,
];

export interface RecordedRequest extends Sent {
  /** POST to /plants with a valid token, unless given otherwise. */
  readonly path?: string;
}

export interface RecordedResponse {
  readonly status: number;
  readonly text?: string;
  /** By lower-case name; undefined if there must be none. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
  /** Some fields of the event that the function got. */
  readonly event?: object;
  readonly requestId?: boolean;
}

export const ok: RecordedResponse = { status: 200 };

const gateway = (type: keyof typeof defaultResponses, status: number, error: string): RecordedResponse => ({
  status,
  // The gateway responses of the tests' template are the names of their types.
  text: type,
  headers: { 'content-type': 'application/json', 'x-amzn-errortype': `${error}Exception` },
  requestId: true,
});

export const missingToken = gateway('MISSING_AUTHENTICATION_TOKEN', 403, 'MissingAuthenticationToken');
export const invalidSignature = gateway('INVALID_SIGNATURE', 403, 'IncompleteSignature');
export const unauthorized = gateway('UNAUTHORIZED', 401, 'Unauthorized');
export const accessDenied = gateway('ACCESS_DENIED', 403, 'AccessDenied');
export const misconfigured = gateway('AUTHORIZER_CONFIGURATION_ERROR', 500, 'AuthorizerConfiguration');
export const authorizerFailed = gateway('AUTHORIZER_FAILURE', 500, 'AuthorizerFailure');
export const throttled = gateway('THROTTLED', 429, 'TooManyRequests');
export const eventTooLarge = gateway('REQUEST_TOO_LARGE', 413, 'BadRequest');
export const functionFailed = gateway('INTEGRATION_FAILURE', 502, 'InternalServerError');
export const functionTimedOut = gateway('INTEGRATION_TIMEOUT', 504, 'InternalServerError');

/** AWS's front end responds before it knows any API. */
export const frontEnd = (status: number, text: string): RecordedResponse => ({
  status,
  text,
  headers: { 'content-type': 'text; charset=utf-8', 'x-amzn-errortype': undefined },
  requestId: false,
});

const policyDocument = { Statement: [{ Effect: 'Allow', Action: 'execute-api:Invoke', Resource: '*' }] };
/** The result of an authorizer. */
export const allow = { principalId: 'me', policyDocument };
/** A token that the tests' authorizer obeys. */
export const bearer = (token: object) => ({ Authorization: `Bearer ${JSON.stringify(token)}` });
export const validToken = bearer({ return: allow });
