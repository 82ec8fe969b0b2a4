import { CreateTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import dynalite from 'dynalite';
import { listenOnLoopback } from './loopback.ts';

/**
 * Starts DynamoDB in this process, with an empty table whose key is `id`, and sets environment variables, so that clients
 * created later connect to it.
 */
export async function startDynamodbInMemory(TableName: string, AttributeType: 'N' | 'S') {
  const { url, stop } = await listenOnLoopback(dynalite({ createTableMs: 0 }));
  Object.assign(process.env, {
    AWS_ENDPOINT_URL_DYNAMODB: url,
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    STAGE: 'dev',
  });
  const AttributeDefinitions = [{ AttributeName: 'id', AttributeType }];
  const KeySchema = [{ AttributeName: 'id', KeyType: 'HASH' as const }];
  const BillingMode = 'PAY_PER_REQUEST';
  await new DynamoDBClient().send(
    new CreateTableCommand({ TableName, AttributeDefinitions, KeySchema, BillingMode }),
  );
  return { stop };
}
