import { describe, expect, test } from '@jest/globals';
import type { NewPlant, PutPlant } from '../../../lambda/create-plant/create-plant.ts';
import { createPlantHandler } from '../../../lambda/create-plant/handler.ts';
import { operationErrors } from '../../../lambda/shared/errors.ts';
import type { RequestSummary } from '../../../lambda/shared/log/request-log.ts';
import { operationSpecs } from '../../../lib/operations.ts';
import { lambdaContext } from '../../support/lambda-context.ts';
import { createPlantEvent } from '../plants.ts';

const { conflict, tooLarge } = operationErrors;

interface Call {
  readonly put?: PutPlant;
  readonly body?: string;
}

/** Invokes the handler with an API Gateway event. Unless `put` is set, every plant is created. */
async function call({ put, body = '{"id":1,"name":"Ficus"}' }: Call) {
  const stored: NewPlant[] = [];
  const logged: RequestSummary[] = [];
  const createAll: PutPlant = async (plant) => {
    stored.push(plant);
    return 'created';
  };
  const log = { summary: (summary: RequestSummary) => logged.push(summary), fault: () => {} };
  const handle = createPlantHandler(put ?? createAll, log);
  const response = await handle({ ...createPlantEvent, body }, lambdaContext());
  return { ...response, body: JSON.parse(response.body), stored, logged };
}

test('createPlant is allowed only to put plants', () => {
  expect(operationSpecs.createPlant.tables).toEqual([
    { table: 'Plants', actions: ['dynamodb:PutItem'] },
  ]);
});

describe('createPlant', () => {
  test('stores only the id, name and tag of a plant, even with an id above 2^53, and returns it without id', async () => {
    const { statusCode, headers, body, stored } = await call({
      body: '{"id":9007199254740993,"name":"Ficus","tag":"indoor","unknown":3}',
    });
    expect({ statusCode, headers, body }).toEqual({
      statusCode: 200,
      headers: { 'Content-Type': 'application/json' },
      body: { name: 'Ficus', tag: 'indoor' },
    });
    expect(stored).toEqual([{ id: 9_007_199_254_740_993n, name: 'Ficus', tag: 'indoor' }]);
  });

  test.each([
    ['created', 200, { name: 'Ficus' }, 'created', { PlantsCreated: 1 }],
    ['duplicate', 200, { name: 'Ficus' }, 'duplicate', { DuplicateRequests: 1 }],
    ['conflict', 400, { error: 1004, message: conflict.message }, 'rejected', { ClientErrors: 1 }],
    ['tooLarge', 400, { error: 1003, message: tooLarge.message }, 'rejected', { ClientErrors: 1 }],
  ] as const)(
    'returns, logs and counts the outcome of the put, %s',
    async (result, status, expected, outcome, counts) => {
      const { statusCode, body, logged } = await call({ put: async () => result });
      expect([statusCode, body]).toEqual([status, expected]);
      const metrics = { ...counts, PutLatency: expect.any(Number) };
      expect(logged).toMatchObject([{ facts: { outcome }, metrics }]);
    },
  );
});
