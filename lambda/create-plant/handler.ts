import validateCreatePlantEvent, { int64s } from '../generated/validate-create-plant-event.js';
import { jsonOperation } from '../shared/http/json-operation.ts';
import { jsonResponse } from '../shared/http/response.ts';
import { observePut } from '../shared/log/observe.ts';
import type { RequestLog } from '../shared/log/request-log.ts';
import { createPlant, type NewPlant, type PutPlant } from './create-plant.ts';
import { createPlantMetrics } from './metrics.ts';

/** POST /plants: returns 200 with a Plant, or 400 with an Error. */
export const createPlantHandler = (put: PutPlant, log: RequestLog) =>
  jsonOperation<NewPlant>({
    validate: validateCreatePlantEvent,
    int64s,
    run: async ({ body }, { observation }) => {
      const { plant, outcome } = await createPlant(body, observePut(put, observation));
      observation.success = { outcome, metric: createPlantMetrics[outcome] };
      return jsonResponse(200, plant);
    },
    log,
  });
