import { isDeepStrictEqual } from 'node:util';
import { operations } from '../generated/operations.ts';
import { MAX_MESSAGE_CHARACTERS, operationErrors, Unauthorized } from '../shared/errors.ts';
import { UNKNOWN_ACCESS_TOKEN } from '../shared/tokens/access-token.ts';
import type { InvocationResult } from './invoke-version.ts';

/** An event to which a healthy version responds in a known way. The event needs no access token and changes no data. */
export interface Probe {
  readonly name: string;
  readonly event: object;
  readonly expected: string;
  readonly isExpected: (result: InvocationResult) => boolean;
}

/** Requests that every operation with a JSON object as its body must reject. */
export const jsonProbes = [
  operationProbe('a body that does not match the schema', [operationErrors.invalidBody], {
    headers: { 'Content-Type': 'application/json' },
    body: '[]',
  }),
  operationProbe(
    'a media type other than application/json',
    [operationErrors.unsupportedMediaType],
    { headers: { 'Content-Type': 'text/plain' }, body: '{}' },
  ),
];

/** Each authorizer rejects one token by its form alone, and the other only after it has read its table or keys. */
const authorizerProbes = [
  authorizerProbe('an unknown access token', UNKNOWN_ACCESS_TOKEN),
  authorizerProbe('a JWT signed with an unknown key', jwtOfUnknownKey()),
];

/** The probes of each function that `jsonProbes` do not fit, by its folder in `lambda/`. */
const probes = {
  authorize: authorizerProbes,
  'authorize-oidc': authorizerProbes,
};

type OperationWithBody = Extract<(typeof operations)[number], { readonly hasBody: true }>;

/** The functions with probes. */
export type ProbedFunction = keyof typeof probes | OperationWithBody['functionName'];

/** @throws Error if the function has no probes */
export function probesOf(functionName: string): readonly Probe[] {
  const found = Object.entries(probes).find(([name]) => name === functionName)?.[1];
  if (found !== undefined) return found;
  if (operations.some((each) => each.hasBody && each.functionName === functionName))
    return jsonProbes;
  throw new Error(`there are no probes for ${functionName}; add some to probes.ts`);
}

interface ExpectedResponse {
  readonly status: number;
  readonly code?: number;
}

/**
 * @param expected the responses that a healthy version may return: errors, or a status such as `{ status: 200 }`
 * @param request the part of API Gateway's event that the operation reads
 * @example
 * operationProbe('an id', [operationErrors.noSuchPlant, { status: 200 }], { pathParameters: { id: '0' } })
 */
export function operationProbe(
  name: string,
  expected: readonly ExpectedResponse[],
  request: object,
): Probe {
  const descriptions = expected.map(({ status, code }) =>
    code === undefined ? status : `${status} with error ${code}`,
  );
  return {
    name,
    // API Gateway always sends these two. A probe has no client.
    event: { requestContext: {}, isBase64Encoded: false, ...request },
    expected: `status ${descriptions.join(' or ')}`,
    isExpected: ({ failed, payload }) =>
      !failed && expected.some(({ status, code }) => matches(fieldsOf(payload), status, code)),
  };
}

/** A response with this status has no body, and so no media type. */
const NO_CONTENT = 204;

/** Compares the whole result, because an unknown field, malformed header or long body makes API Gateway return 502. */
function matches(result: Record<string, unknown>, statusCode: number, code?: number): boolean {
  if (statusCode === NO_CONTENT) {
    const empty = { headers: {}, body: '' };
    return isDeepStrictEqual({ ...empty, ...result }, { ...empty, statusCode });
  }
  const body = String(result.body);
  const message = String(fieldsOf(body).message);
  const isError =
    isDeepStrictEqual(fieldsOf(body), { error: code, message }) &&
    message.length <= MAX_MESSAGE_CHARACTERS;
  const headers = { 'Content-Type': 'application/json' };
  return (
    isDeepStrictEqual(result, { statusCode, headers, body }) && (code === undefined || isError)
  );
}

function authorizerProbe(name: string, token: string): Probe {
  const expected = new Unauthorized().message;
  return {
    name,
    event: {
      type: 'TOKEN',
      authorizationToken: `Bearer ${token}`,
      methodArn: 'arn:aws:execute-api:us-east-1:123456789012:api/stage/POST/operation',
    },
    expected,
    isExpected: ({ failed, payload }) => failed && fieldsOf(payload).errorMessage === expected,
  };
}

function jwtOfUnknownKey(): string {
  const header = Buffer.from(JSON.stringify({ alg: 'RS256', kid: 'pre-traffic-hook' }));
  // `e30` is `{}`.
  return `${header.toString('base64url')}.e30.AAAA`;
}

/** Returns the fields of a JSON object, or an empty object if the text is not JSON. */
function fieldsOf(json: string): Record<string, unknown> {
  try {
    return { ...JSON.parse(json) };
  } catch {
    return {};
  }
}
