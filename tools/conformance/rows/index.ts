import type { Row } from '../row.ts';
import { frontEnd } from './front-end.ts';
import { headers } from './headers.ts';
import { plants } from './plants.ts';
import { routes } from './routes.ts';

export const rows: readonly Row[] = [...plants, ...headers, ...routes, ...frontEnd];
