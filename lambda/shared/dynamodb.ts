import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { sdkSettings } from './sdk-settings.ts';

/**
 * How long the store may take: 3.5 seconds where it is silent each time, and never more than 5. That is well
 * inside the functions' own timeout, so a slow store is an answer to the client and not a dead Lambda.
 */
const MAX_ATTEMPTS = 3;
const CONNECTION_TIMEOUT_MS = 500;
const REQUEST_TIMEOUT_MS = 1_000;
const DEADLINE_MS = 5_000;

// Stryker disable all: test/in-process/lambda/retries.test.ts proves these, by waits that mutation testing can't afford.
/** A client for DynamoDB; the environment says where (AWS_REGION, AWS_ENDPOINT_URL_DYNAMODB). */
export function dynamodb(): DynamoDBDocumentClient {
  const client = new DynamoDBClient({
    ...sdkSettings(),
    maxAttempts: MAX_ATTEMPTS,
    requestHandler: {
      connectionTimeout: CONNECTION_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      // Without it the request timeout only logs a warning.
      throwOnRequestTimeout: true,
      // The request timeout ends with the reply's headers; this one is for a body that stalls.
      socketTimeout: REQUEST_TIMEOUT_MS,
    },
  });
  return DynamoDBDocumentClient.from(client);
}
// Stryker restore all

/** Gives a command and all its attempts up at the deadline, even where the store keeps sending something. */
export async function withinDeadline<Output>(
  send: (options: { abortSignal: AbortSignal }) => Promise<Output>,
): Promise<Output> {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), DEADLINE_MS);
  try {
    return await send({ abortSignal: controller.signal });
  } finally {
    clearTimeout(timer);
  }
}
