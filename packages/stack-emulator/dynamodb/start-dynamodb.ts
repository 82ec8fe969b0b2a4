import { assertReachable } from './call-dynamodb.ts';
import { type RunningDynamoDB, startEmbeddedDynamoDB } from './embedded-dynamodb.ts';

export interface DynamoDBOptions {
  /** The address of the embedded DynamoDB. */
  readonly host: string;
  /** The port of the embedded DynamoDB; 0 means any free port. */
  readonly dynamodbPort: number;
  readonly dataDir: string;
  /** A DynamoDB to use instead of the embedded one, for example `http://127.0.0.1:8000`. */
  readonly dynamodbEndpoint?: string | undefined;
}

/** @throws UserError if a setting of the embedded DynamoDB cannot be used, or if there is no DynamoDB at the endpoint */
export async function startDynamoDB(options: DynamoDBOptions): Promise<RunningDynamoDB> {
  const { dataDir, host, dynamodbPort, dynamodbEndpoint: endpoint } = options;
  if (endpoint === undefined) return startEmbeddedDynamoDB(dataDir, host, dynamodbPort);
  await assertReachable(endpoint);
  return { endpoint, failed: new Promise(() => {}), stop: async () => {} };
}
