import type { DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { requiredEnv } from './env.ts';

/**
 * Every setting that the SDK would look for in `~/.aws`: each has its default here, or what Lambda's
 * environment says, so that a cold start reads no files that a function doesn't have (decision 0034).
 */
export function sdkSettings(): DynamoDBClientConfig {
  const endpoint = process.env.AWS_ENDPOINT_URL_DYNAMODB;
  return {
    region: requiredEnv('AWS_REGION'),
    ...(endpoint ? { endpoint } : {}),
    // Stryker disable all: each but spares a look into a file, which test/bundle/ and the benchmarks see.
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
