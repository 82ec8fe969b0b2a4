/** `npm run generate`: writes again everything that is made from openapi.json and lambda/errors.ts. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generatedFiles } from './generated-files.ts';

for (const [path, content] of Object.entries(await generatedFiles())) {
  writeFileSync(join(import.meta.dirname, '..', path), content);
  console.log(`wrote ${path}`);
}
