import type { Row } from '../row.ts';
import { createPlant } from './create-plant.ts';
import { example } from './example.ts';
import { frontEnd } from './front-end.ts';
import { headerRows } from './headers.ts';
import { routes } from './routes.ts';

export const rows: readonly Row[] = [
  ...createPlant,
  ...headerRows,
  example,
  ...routes,
  ...frontEnd,
];
