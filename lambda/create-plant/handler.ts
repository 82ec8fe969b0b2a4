import validateCreatePlantEvent, { int64s } from '../generated/validate-create-plant-event.js';
import { jsonOperation } from '../shared/http/json-operation.ts';
import { jsonResponse } from '../shared/http/response.ts';
import { observePut, type Succeeded } from '../shared/log/observe.ts';
import type { RequestLog } from '../shared/log/request-log.ts';
import { createPlant, type NewPlant, type PutPlant } from './create-plant.ts';

/** POST /plants: returns 200 with a Plant, or 400 with an Error. */
export const createHandler = (put: PutPlant, log: RequestLog) =>
  jsonOperation<NewPlant>({
    validate: validateCreatePlantEvent,
    int64s,
    run: async ({ body }, { observation }) =>
      jsonResponse(200, await createPlant(body, observePut(put, observation))),
    log,
    succeeded,
  });

/** A duplicate also succeeds, but is counted by a different metric. */
const succeeded: Succeeded = ({ putOutcome }) =>
  putOutcome === 'duplicate'
    ? { outcome: 'duplicate', counted: { DuplicateRequests: 1 } }
    : { outcome: 'created', counted: { PlantsCreated: 1 } };
