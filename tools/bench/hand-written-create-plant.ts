/** createPlant without a framework, a schema, metrics or a warm-up: the SDK's client, set up and bundled like ours. */
import { DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { sdkSettings } from '../../lambda/shared/dynamodb/client.ts';
import { requiredEnv } from '../../lambda/shared/env.ts';

const dynamodb = new DynamoDBClient(sdkSettings());
const TableName = requiredEnv('PLANTS_TABLE');

export const handler = async ({ body }: APIGatewayProxyEvent) => {
  const { id, name, tag } = JSON.parse(body ?? '');
  if (!Number.isInteger(id) || typeof name !== 'string' || typeof tag !== 'string')
    return { statusCode: 400, body: '{"error":1002}' };
  await dynamodb.send(
    new PutItemCommand({
      TableName,
      Item: { id: { N: `${id}` }, name: { S: name }, tag: { S: tag } },
      ConditionExpression: 'attribute_not_exists(id)',
    }),
  );
  return { statusCode: 200, body: JSON.stringify({ name, tag }) };
};
