import { CreateTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import dynalite from 'dynalite';
import { listenOnLoopback } from './loopback.ts';

/** DynamoDB in this process, with an empty table. */
export interface DynamodbInMemory {
  stop(): Promise<void>;
}

/** Starts DynamoDB with a table, and sets environment variables, so that clients created later connect to it. */
export async function startDynamodbInMemory(
  TableName: string,
  AttributeType: 'N' | 'S',
  AttributeName = 'id',
): Promise<DynamodbInMemory> {
  const { url, stop } = await listenOnLoopback(dynalite({ createTableMs: 0 }));
  Object.assign(process.env, {
    AWS_ENDPOINT_URL_DYNAMODB: url,
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    STAGE: 'dev',
  });
  const AttributeDefinitions = [{ AttributeName, AttributeType }];
  const KeySchema = [{ AttributeName, KeyType: 'HASH' as const }];
  const BillingMode = 'PAY_PER_REQUEST';
  await new DynamoDBClient().send(
    new CreateTableCommand({ TableName, AttributeDefinitions, KeySchema, BillingMode }),
  );
  return { stop };
}
