import type { Row } from '../row.ts';
import { createPlant } from './create-plant.ts';
import { example } from './example.ts';
import { frontEnd } from './front-end.ts';
import { headers } from './headers.ts';
import { routes } from './routes.ts';

export const rows: readonly Row[] = [...createPlant, ...headers, example, ...routes, ...frontEnd];
