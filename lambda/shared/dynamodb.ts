import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { requiredEnv } from './env.ts';

/**
 * These end a command within 3.5 seconds if DynamoDB never responds, and within 5 in any case, before the function
 * times out. A slow DynamoDB therefore causes error 1500 in createPlant and 2500 in the authorizer, not a timeout.
 */
const MAX_ATTEMPTS = 3;
const CONNECTION_TIMEOUT_MS = 500;
const REQUEST_TIMEOUT_MS = 1_000;
const COMMAND_TIMEOUT_MS = 5_000;

// Stryker disable all: test/in-process/lambda/retries.test.ts proves these, but is too slow for mutation testing.
/** A client for DynamoDB at AWS_ENDPOINT_URL_DYNAMODB or, if that is not set, in AWS_REGION. */
export function dynamodbClient(): DynamoDBDocumentClient {
  const client = new DynamoDBClient({
    ...sdkSettings(),
    maxAttempts: MAX_ATTEMPTS,
    requestHandler: {
      connectionTimeout: CONNECTION_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      // Without it the request timeout only logs a warning.
      throwOnRequestTimeout: true,
      // The request timeout covers the headers of the response; this one covers a body that stalls.
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
    // The provider replaces the SDK's ruleset, which would find the same endpoint.
    ...(endpoint ? { endpoint, endpointProvider: () => ({ url: new URL(endpoint) }) } : {}),
    // Stryker disable all: each setting only saves a file read; test/bundle/ and the benchmarks would notice one.
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

export function isItemTooLarge(error: unknown): boolean {
  return error instanceof Error && error.name === 'ValidationException' && /item size/i.test(error.message);
}
