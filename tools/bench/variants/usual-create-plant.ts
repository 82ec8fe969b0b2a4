/**
 * createPlant as most tutorials build it, with a schema that is compiled at run time, and with the default settings of
 * the SDK's clients.
 */
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import middy from '@middy/core';
import httpJsonBodyParser from '@middy/http-json-body-parser';
import validator from '@middy/validator';
import { transpileSchema } from '@middy/validator/transpile';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { createPlant, type NewPlant } from '../../../lambda/create-plant/create-plant.ts';
import { plantsTable } from '../../../lambda/create-plant/plants-table.ts';
import { int64s } from '../../../lambda/generated/validate-create-plant-event.js';
import { requiredEnv } from '../../../lambda/shared/env.ts';
import { type ObservedContext, observeOperation, observePut } from '../../../lambda/shared/log/observe.ts';
import {
  decodeUtf8,
  exactInt64s,
  limitSize,
  limitStructure,
  requireJsonMediaType,
} from '../../../lambda/shared/request-body.ts';
import { errorResponse, jsonResponse } from '../../../lambda/shared/response.ts';
import { powertoolsLog } from '../../../test/support/powertools-log.ts';
import { assertExact } from './new-plant.ts';

const eventSchema = {
  type: 'object',
  required: ['body'],
  properties: {
    body: {
      type: 'object',
      required: ['id', 'name'],
      // Ajv does not support bigints, so the handler checks the id.
      properties: { id: {}, name: { type: 'string' }, tag: { type: 'string' } },
    },
  },
};

/** Replaces Ajv's messages with those of the deployed function's validator. */
function inOurWords({ error }: { error: unknown }): void {
  const { data }: { data?: unknown } = Object(Object(error).cause);
  for (const violation of Array.isArray(data) ? data : []) {
    const { missingProperty, type } = violation.params;
    if (type !== undefined) violation.message = `must be ${type === 'object' ? 'an' : 'a'} ${type}`;
    if (missingProperty === undefined) continue;
    violation.params = { at: missingProperty };
    violation.message = 'is required';
  }
}

const client = DynamoDBDocumentClient.from(new DynamoDBClient({}));
const put = plantsTable(client, requiredEnv('PLANTS_TABLE'));

export const handler = observeOperation(
  middy<
    Omit<APIGatewayProxyEvent, 'body'> & { body: NewPlant },
    APIGatewayProxyResult,
    Error,
    ObservedContext
  >()
    .use(errorResponse())
    .use({ onError: inOurWords })
    .use(requireJsonMediaType())
    .use(limitSize())
    .use(decodeUtf8())
    .use(limitStructure())
    .use(httpJsonBodyParser({ disableContentTypeCheck: true }))
    .use(exactInt64s(int64s))
    .use(validator({ eventSchema: transpileSchema(eventSchema, { coerceTypes: false, useDefaults: false }) }))
    .handler(async ({ body }, { observation }) => {
      assertExact(body);
      return jsonResponse(200, await createPlant(body, observePut(put, observation)));
    }),
  powertoolsLog('create-plant', requiredEnv('STAGE')),
  ({ putOutcome }) =>
    putOutcome === 'duplicate'
      ? { outcome: 'duplicate', counted: { DuplicateRequests: 1 } }
      : { outcome: 'created', counted: { PlantsCreated: 1 } },
);
