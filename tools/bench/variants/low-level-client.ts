import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { sdkSettings } from '../../../lambda/shared/dynamodb.ts';

/** client-dynamodb with the same settings, attempts and timeouts as the deployed functions. */
export const lowLevelClient = () =>
  new DynamoDBClient({
    ...sdkSettings(),
    maxAttempts: 3,
    requestHandler: {
      connectionTimeout: 500,
      requestTimeout: 1_000,
      throwOnRequestTimeout: true,
      socketTimeout: 1_000,
    },
  });
