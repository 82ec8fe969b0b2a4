import type { Subject } from '../row.ts';
import { longHeaders, sizes, unusualHttp } from './front-end.ts';
import { invalidCredentials, mediaTypes, validCredentials } from './headers.ts';
import { ids, invalidBodies, takenIds, validPlants } from './plants.ts';
import { spellings, stages, withoutToken, withToken } from './routes.ts';

export const subjects: readonly Subject[] = [
  { title: 'Valid plants', rows: validPlants },
  { title: 'Ids', rows: ids },
  { title: 'Taken ids', rows: takenIds },
  { title: 'Invalid bodies', rows: invalidBodies },
  { title: 'Media types', rows: mediaTypes },
  { title: 'Valid credentials', rows: validCredentials },
  { title: 'Invalid credentials', rows: invalidCredentials },
  { title: 'Unknown routes without a token', rows: withoutToken },
  { title: 'Unknown routes with a token', rows: withToken },
  { title: 'Alternative spellings of the route', rows: spellings },
  { title: 'Wrong stages', rows: stages },
  { title: 'Large bodies', rows: sizes },
  { title: 'Large headers', rows: longHeaders },
  { title: 'Unusual HTTP', rows: unusualHttp },
];
