import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The event that API Gateway sends for `POST /plants` with a NewPlant. `npm run sam:invoke` also uses it. */
export const createPlantEvent = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../events/create-plant.json'), 'utf8'),
);
