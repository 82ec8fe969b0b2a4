import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What API Gateway sends for `POST /plants` with a NewPlant: the event of `npm run sam:invoke`. */
export const createPlantEvent = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../events/create-plant.json'), 'utf8'),
);
