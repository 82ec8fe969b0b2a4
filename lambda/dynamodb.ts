import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

/**
 * How long the store may take. All attempts with their back-off end within 5 seconds, well inside the
 * functions' own timeout, so a slow store is an answer to the client and not a dead Lambda.
 */
const MAX_ATTEMPTS = 3;
const CONNECTION_TIMEOUT_MS = 500;
const REQUEST_TIMEOUT_MS = 1_000;

/** A client for DynamoDB; the environment says where (AWS_REGION, AWS_ENDPOINT_URL_DYNAMODB). */
export function dynamodb(): DynamoDBDocumentClient {
  const client = new DynamoDBClient({
    maxAttempts: MAX_ATTEMPTS,
    requestHandler: {
      connectionTimeout: CONNECTION_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      // Without it the request timeout only logs a warning.
      throwOnRequestTimeout: true,
    },
  });
  return DynamoDBDocumentClient.from(client);
}
