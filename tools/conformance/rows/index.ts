import type { Row } from '../row.ts';
import { frontEnd } from './aws-front-end.ts';
import { createPlant } from './create-plant.ts';
import { example } from './example.ts';
import { headers } from './headers.ts';
import { routes } from './routes.ts';

export const rows: readonly Row[] = [...createPlant, ...headers, example, ...routes, ...frontEnd];
