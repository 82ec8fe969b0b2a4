import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

/** A client for a DynamoDB on this machine, which asks for credentials and takes any. */
export function localDynamoDB(endpoint: string): DynamoDBDocumentClient {
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  return DynamoDBDocumentClient.from(new DynamoDBClient({ endpoint, region: 'us-east-1', credentials }));
}
