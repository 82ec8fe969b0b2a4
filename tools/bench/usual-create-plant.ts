/**
 * createPlant as tutorials build it: a schema that is compiled at run time, Powertools for metrics, and the defaults of
 * the SDK and esbuild.
 */
import { Metrics, MetricUnit } from '@aws-lambda-powertools/metrics';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import middy from '@middy/core';
import httpJsonBodyParser from '@middy/http-json-body-parser';
import validator from '@middy/validator';
import { transpileSchema } from '@middy/validator/transpile';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { createPlant, type NewPlant } from '../../lambda/create-plant/create-plant.ts';
import { putPlantIn } from '../../lambda/create-plant/plants-table.ts';
import { requiredEnv } from '../../lambda/shared/env.ts';
import { jsonResponse } from '../../lambda/shared/http/response.ts';

const eventSchema = transpileSchema({
  type: 'object',
  required: ['body'],
  properties: {
    body: {
      type: 'object',
      required: ['id', 'name'],
      properties: { id: { type: 'integer' }, name: { type: 'string' }, tag: { type: 'string' } },
    },
  },
});
const metrics = new Metrics({ namespace: 'PlantStore', serviceName: 'create-plant' });
const put = putPlantIn(
  DynamoDBDocumentClient.from(new DynamoDBClient({})),
  requiredEnv('PLANTS_TABLE'),
);

type Event = Omit<APIGatewayProxyEvent, 'body'> & { readonly body: NewPlant };

export const handler = middy<Event, APIGatewayProxyResult>()
  .use(httpJsonBodyParser())
  .use(validator({ eventSchema }))
  .handler(async ({ body }: Event) => {
    const { plant } = await createPlant({ ...body, id: BigInt(body.id) }, put);
    metrics.addMetric('PlantsCreated', MetricUnit.Count, 1);
    metrics.publishStoredMetrics();
    return jsonResponse(200, plant);
  });
