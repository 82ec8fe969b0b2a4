import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { typesModule } from './openapi-types.ts';
import { validators } from './validator.ts';

/** The content of every generated file, by its path in the repository. */
export async function generatedFiles(): Promise<Record<string, string>> {
  const openapi = JSON.parse(readFileSync(join(import.meta.dirname, '../../openapi.json'), 'utf8'));
  const files = { 'openapi.ts': await typesModule(openapi), ...validators(openapi) };
  return Object.fromEntries(
    Object.entries(files).map(([name, content]) => [`lambda/generated/${name}`, content]),
  );
}
