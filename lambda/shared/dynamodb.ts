import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { requiredEnv } from './env.ts';

/**
 * How long a command may take: 3.5 seconds if DynamoDB never responds, and never more than 5. That is well
 * inside the functions' own timeout, so a slow DynamoDB ends in error 1500 of createPlant, or 2500 if the
 * authorizer was waiting for it, and not in a Lambda timeout.
 */
const MAX_ATTEMPTS = 3;
const CONNECTION_TIMEOUT_MS = 500;
const REQUEST_TIMEOUT_MS = 1_000;
const COMMAND_TIMEOUT_MS = 5_000;

// Stryker disable all: test/in-process/lambda/retries.test.ts proves these, by waits that mutation testing can't afford.
/** A client for DynamoDB at AWS_ENDPOINT_URL_DYNAMODB, or in AWS_REGION if that is not set. */
export function dynamodbClient(): DynamoDBDocumentClient {
  const client = new DynamoDBClient({
    ...sdkSettings(),
    maxAttempts: MAX_ATTEMPTS,
    requestHandler: {
      connectionTimeout: CONNECTION_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      // Without it the request timeout only logs a warning.
      throwOnRequestTimeout: true,
      // The request timeout ends with the headers of the response; this one is for a body that stalls.
      socketTimeout: REQUEST_TIMEOUT_MS,
    },
  });
  return DynamoDBDocumentClient.from(client);
}
// Stryker restore all

/**
 * Every setting that the SDK would otherwise read from `~/.aws`, so that a cold start reads no files
 * (decision 0034). All but region and endpoint are the SDK's defaults.
 */
export function sdkSettings(): DynamoDBClientConfig {
  const endpoint = process.env.AWS_ENDPOINT_URL_DYNAMODB;
  return {
    region: requiredEnv('AWS_REGION'),
    // The provider spares the SDK's ruleset, which would find the same endpoint.
    ...(endpoint ? { endpoint, endpointProvider: () => ({ url: new URL(endpoint) }) } : {}),
    // Stryker disable all: each only spares reading a file, which test/bundle/ and the benchmarks see.
    ignoreConfiguredEndpointUrls: true,
    useDualstackEndpoint: false,
    useFipsEndpoint: false,
    accountIdEndpointMode: 'disabled',
    authSchemePreference: [],
    disableClockSkewCorrection: false,
    defaultsMode: 'legacy',
    retryMode: 'standard',
    userAgentAppId: '',
    // Stryker restore all
  };
}

/** Aborts a command, retries included, after 5 s, even while a response is streaming. */
export function withTimeout<Output>(
  send: (options: { abortSignal: AbortSignal }) => Promise<Output>,
): Promise<Output> {
  return send({ abortSignal: AbortSignal.timeout(COMMAND_TIMEOUT_MS) });
}

export function isItemTooLarge(error: unknown): boolean {
  return error instanceof Error && error.name === 'ValidationException' && /item size/i.test(error.message);
}
