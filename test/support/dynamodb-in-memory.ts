import { CreateTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import dynalite from 'dynalite';
import { listenOnLoopback } from './loopback.ts';

/** DynamoDB in this process, with two empty tables. */
export interface DynamodbInMemory {
  readonly client: DynamoDBClient;
  stop(): Promise<void>;
}

/** Starts DynamoDB, and sets environment variables, so that clients created later connect to it. */
export async function startDynamodbInMemory(): Promise<DynamodbInMemory> {
  const { url, stop } = await listenOnLoopback(dynalite({ createTableMs: 0 }));
  Object.assign(process.env, {
    AWS_ENDPOINT_URL_DYNAMODB: url,
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    PLANTS_TABLE: 'Plants',
    TOKENS_TABLE: 'Tokens',
    STAGE: 'dev',
  });
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  const client = new DynamoDBClient({ endpoint: url, region: 'us-east-1', credentials });
  for (const [TableName, AttributeType] of [
    ['Plants', 'N'],
    ['Tokens', 'S'],
  ] as const) {
    const AttributeDefinitions = [{ AttributeName: 'id', AttributeType }];
    const KeySchema = [{ AttributeName: 'id', KeyType: 'HASH' as const }];
    await client.send(
      new CreateTableCommand({ TableName, AttributeDefinitions, KeySchema, BillingMode: 'PAY_PER_REQUEST' }),
    );
  }
  return { client, stop };
}
