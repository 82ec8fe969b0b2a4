import { isDeepStrictEqual } from 'node:util';
import { type ErrorSpec, MAX_ITEM_BYTES, operationErrors, Unauthorized } from '../shared/errors.ts';
import type { InvocationResult } from './invoke-version.ts';

/** An event to which a healthy version responds in a known way. It needs no access token and changes nothing. */
export interface Probe {
  /** Names the event in messages. */
  readonly name: string;
  readonly event: object;
  readonly expected: string;
  readonly isExpected: (result: InvocationResult) => boolean;
}

/**
 * A valid plant that DynamoDB itself rejects: without the value of its id it has exactly the largest size of an item,
 * so the function sends it.
 */
const UNSTORABLE = {
  id: Number.MAX_SAFE_INTEGER,
  name: 'x'.repeat(MAX_ITEM_BYTES - Buffer.byteLength('id') - Buffer.byteLength('name')),
};

/** Of a message to a client, in characters. */
const MAX_MESSAGE = 1_000;

const createPlantProbes = [
  createPlantProbe('a body that is not a NewPlant', operationErrors.notANewPlant, {}),
  createPlantProbe('another media type', operationErrors.unsupportedMediaType, {}, 'text/plain'),
  createPlantProbe('a plant that DynamoDB rejects', operationErrors.tooLarge, UNSTORABLE),
];

/** Each authorizer finds one of these tokens malformed, and has to read its table or keys for the other one. */
const authorizerProbes = [
  authorizerProbe('an unknown access token', `plantstore_${'0'.repeat(16)}_${'0'.repeat(64)}`),
  authorizerProbe('a JWT of an unknown key', jwtOfUnknownKey()),
];

const probes: Readonly<Record<string, readonly Probe[]>> = {
  'create-plant': createPlantProbes,
  authorize: authorizerProbes,
  'authorize-oidc': authorizerProbes,
};

/**
 * @param functionName the folder of the function
 * @throws Error if the function has no probes
 */
export function probesOf(functionName: string): readonly Probe[] {
  const found = probes[functionName];
  if (found === undefined) throw new Error(`there are no probes for ${functionName}`);
  return found;
}

function createPlantProbe(
  name: string,
  { code }: ErrorSpec,
  body: object,
  mediaType = 'application/json',
): Probe {
  return {
    name,
    event: {
      httpMethod: 'POST',
      path: '/plants',
      headers: { 'Content-Type': mediaType },
      body: JSON.stringify(body),
      isBase64Encoded: false,
      requestContext: {},
    },
    expected: `status 400 with error ${code}`,
    isExpected: ({ failed, payload }) => !failed && isRejection(fieldsOf(payload), code),
  };
}

/** Of the whole result, because API Gateway returns 502 for an unknown field, a malformed header or a long body. */
function isRejection(result: Record<string, unknown>, code: number): boolean {
  const body = String(result.body);
  const { message } = fieldsOf(body);
  return (
    isDeepStrictEqual(result, { statusCode: 400, headers: { 'Content-Type': 'application/json' }, body }) &&
    isDeepStrictEqual(fieldsOf(body), { error: code, message }) &&
    typeof message === 'string' &&
    message.length < MAX_MESSAGE
  );
}

function authorizerProbe(name: string, token: string): Probe {
  const expected = new Unauthorized().message;
  return {
    name,
    event: {
      type: 'TOKEN',
      authorizationToken: `Bearer ${token}`,
      methodArn: 'arn:aws:execute-api:us-east-1:123456789012:api/stage/POST/plants',
    },
    expected,
    isExpected: ({ failed, payload }) => failed && fieldsOf(payload).errorMessage === expected,
  };
}

function jwtOfUnknownKey(): string {
  const [header, claims] = [{ alg: 'RS256', kid: 'pre-traffic-hook' }, {}].map((part) =>
    Buffer.from(JSON.stringify(part)).toString('base64url'),
  );
  return `${header}.${claims}.AAAA`;
}

/** @returns the fields of an object in JSON, or none if the text is something else */
function fieldsOf(json: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(json));
  } catch {
    return {};
  }
}
