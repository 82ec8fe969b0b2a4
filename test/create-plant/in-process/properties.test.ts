import { describe, test } from '@jest/globals';
import type { NewPlant, PutOutcome, PutPlant } from '../../../lambda/create-plant/create-plant.ts';
import { createPlantHandler } from '../../../lambda/create-plant/handler.ts';
import { checkAgainstContract } from '../../support/contract.ts';
import { parseExactly } from '../../support/exact-json.ts';
import { lambdaContext } from '../../support/lambda-context.ts';
import { createPlantEvent } from '../create-plant-event.ts';
import { CREATE_PLANT } from '../plants.ts';
import { assertFor, nothingElseIsStored, properties } from '../property/properties.ts';
import { type Plant, plantOf, samePlant, type Target } from '../target.ts';

describe('the handler', () => {
  const plants = new Map<string, Plant>();
  const target = handlerTarget();
  test.each(properties(target, plants))('$name', assertFor(400));
  test('stores only the plants for which it returned 200', () => nothingElseIsStored(target, plants));
});

const MAX_ITEM_BYTES = 400 * 1024;

/** Runs the handler in this process. Stores plants in memory, with the same outcomes as DynamoDB. */
function handlerTarget(): Target {
  const plants = new Map<string, Plant>();
  const put: PutPlant = async (plant) => {
    const [outcome, id, value] = [decide(plants, plant), String(plant.id), plantOf({ ...plant })];
    if (outcome === 'created') plants.set(id, value);
    return outcome;
  };
  const handle = createPlantHandler(put, { summary: () => {}, fault: () => {} });
  return {
    create: async (body, sent = { 'Content-Type': 'application/json' }) => {
      // API Gateway passes a binary body to a function as base64.
      const text = body.length === 0 ? null : body.toString('base64');
      const response = await handle(
        { ...createPlantEvent, body: text, isBase64Encoded: true, headers: sent },
        lambdaContext(),
      );
      const result = { status: response.statusCode, body: parseExactly(response.body) };
      const headers = lowerCase(response.headers);
      checkAgainstContract({ ...result, text: response.body, headers }, CREATE_PLANT);
      return result;
    },
    items: async () => plants,
    stored: async (id) => plants.get(String(id)),
  };
}

function decide(plants: ReadonlyMap<string, Plant>, plant: NewPlant): PutOutcome {
  if (Buffer.byteLength(['id', ...Object.entries(plantOf({ ...plant })).flat()].join('')) > MAX_ITEM_BYTES)
    return 'tooLarge';
  const present = plants.get(String(plant.id));
  if (present === undefined) return 'created';
  return samePlant(present, plantOf({ ...plant })) ? 'duplicate' : 'conflict';
}

function lowerCase(headers: object | undefined): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers ?? {}).map(([name, value]) => [name.toLowerCase(), String(value)]),
  );
}
