import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { requiredEnv } from '../env.ts';

/**
 * These limits end a command within 3.5 s if DynamoDB never responds, and within 5 s in any case, before the function
 * times out (docs/decisions.md#every-dynamodb-command-ends). If DynamoDB is slow, clients get error 1500 (operations)
 * or 2500 (authorizer), not a timeout.
 */
const MAX_ATTEMPTS = 3;
const CONNECTION_TIMEOUT_MS = 500;
const REQUEST_TIMEOUT_MS = 1_000;
const COMMAND_TIMEOUT_MS = 5_000;

/** A DynamoDB client for the endpoint AWS_ENDPOINT_URL_DYNAMODB or, if that is not set, for the region AWS_REGION. */
export function dynamodbClient(): DynamoDBDocumentClient {
  const client = new DynamoDBClient({
    ...sdkSettings(),
    maxAttempts: MAX_ATTEMPTS,
    requestHandler: {
      connectionTimeout: CONNECTION_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      // Without this setting, the request timeout only logs a warning.
      throwOnRequestTimeout: true,
      // The request timeout covers only the headers of the response. The socket timeout covers a body that stalls.
      socketTimeout: REQUEST_TIMEOUT_MS,
    },
  });
  return DynamoDBDocumentClient.from(client);
}

/**
 * Every setting that the SDK would otherwise read from `~/.aws`, so that a cold start reads no files
 * (docs/decisions.md#cold-starts).
 */
export function sdkSettings(): DynamoDBClientConfig {
  const endpoint = process.env.AWS_ENDPOINT_URL_DYNAMODB;
  return {
    region: requiredEnv('AWS_REGION'),
    // This provider replaces the SDK's endpoint rules, which would return the same endpoint.
    ...(endpoint ? { endpoint, endpointProvider: () => ({ url: new URL(endpoint) }) } : {}),
    ignoreConfiguredEndpointUrls: true,
    useDualstackEndpoint: false,
    useFipsEndpoint: false,
    accountIdEndpointMode: 'disabled',
    authSchemePreference: [],
    disableClockSkewCorrection: false,
    defaultsMode: 'legacy',
    retryMode: 'standard',
    userAgentAppId: '',
  };
}

/** Aborts a command, retries included, at its timeout, even while a response is streaming. */
export async function withTimeout<Output>(
  send: (options: { abortSignal: AbortSignal }) => Promise<Output>,
): Promise<Output> {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), COMMAND_TIMEOUT_MS);
  try {
    return await send({ abortSignal: controller.signal });
  } finally {
    clearTimeout(timer);
  }
}
