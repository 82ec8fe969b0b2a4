/** createPlant, written with only client-dynamodb, without a framework, and bundled like the deployed one. */
import { ConditionalCheckFailedException, PutItemCommand } from '@aws-sdk/client-dynamodb';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { createPlant, type NewPlant, type PutPlant } from '../../../lambda/create-plant/create-plant.ts';
import { withTimeout } from '../../../lambda/shared/dynamodb.ts';
import { requiredEnv } from '../../../lambda/shared/env.ts';
import { isFault, OperationError, operationErrors } from '../../../lambda/shared/errors.ts';
import { requestLog } from '../../../lambda/shared/log/request-log.ts';
import { jsonResponse } from '../../../lambda/shared/response.ts';
import { lowLevelClient } from './low-level-client.ts';
import { readNewPlant } from './new-plant.ts';

const client = lowLevelClient();
const tableName = requiredEnv('PLANTS_TABLE');
const log = requestLog('create-plant', requiredEnv('STAGE'));

const putItem = (TableName: string, { id, name, tag }: NewPlant) => ({
  TableName,
  Item: { id: { N: `${id}` }, name: { S: name }, ...(tag === undefined ? {} : { tag: { S: tag } }) },
  ConditionExpression: `attribute_not_exists(#id) OR (#name = :name AND ${
    tag === undefined ? 'attribute_not_exists(#tag)' : '#tag = :tag'
  })`,
  ExpressionAttributeNames: { '#id': 'id', '#name': 'name', '#tag': 'tag' },
  ExpressionAttributeValues: { ':name': { S: name }, ...(tag === undefined ? {} : { ':tag': { S: tag } }) },
  ReturnValues: 'ALL_OLD' as const,
});

const put: PutPlant = async (plant) => {
  const command = new PutItemCommand(putItem(tableName, plant));
  try {
    const { Attributes } = await withTimeout((options) => client.send(command, options));
    return Attributes === undefined ? 'created' : 'duplicate';
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return 'conflict';
    throw new OperationError(operationErrors.dynamodbFailed, { cause: error });
  }
};

export const handler = async (event: APIGatewayProxyEvent): Promise<APIGatewayProxyResult> => {
  const startedAt = performance.now();
  const { requestId, authorizer } = event.requestContext;
  const facts = { requestId, principal: authorizer?.principalId, client: authorizer?.client };
  let PutLatency: number | undefined;
  let duplicate = false;
  const timedPut: PutPlant = async (plant) => {
    const putAt = performance.now();
    try {
      const outcome = await put(plant);
      duplicate = outcome === 'duplicate';
      return outcome;
    } finally {
      PutLatency = performance.now() - putAt;
    }
  };
  const timings = () => ({ PutLatency, Duration: performance.now() - startedAt });
  try {
    const response = jsonResponse(200, await createPlant(readNewPlant(event), timedPut));
    log.summary({
      facts: { ...facts, outcome: duplicate ? 'duplicate' : 'created' },
      metrics: { ...(duplicate ? { DuplicateRequests: 1 } : { PlantsCreated: 1 }), Faults: 0, ...timings() },
    });
    return response;
  } catch (thrown) {
    const error = thrown instanceof OperationError ? thrown : new OperationError(operationErrors.unexpected);
    const { spec, message } = error;
    const fault = isFault(spec);
    log.summary({
      facts: { ...facts, outcome: fault ? 'fault' : 'rejected' },
      error: spec.code,
      metrics: { ...(fault ? { Faults: 1 } : { ClientErrors: 1, Faults: 0 }), ...timings() },
    });
    if (fault) log.fault(requestId, spec.code, error.cause ?? error);
    const retry = spec.retryAfterSeconds === undefined ? {} : { 'Retry-After': `${spec.retryAfterSeconds}` };
    return jsonResponse(400, { error: spec.code, message }, retry);
  }
};
