import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { typesModule } from './openapi-types.ts';
import { validatorModule, validatorTypes } from './validator.ts';

/** The content of every generated file, by its path in the repository. */
export async function generatedFiles(): Promise<Record<string, string>> {
  const openapi = JSON.parse(readFileSync(join(import.meta.dirname, '../openapi.json'), 'utf8'));
  return {
    'lambda/generated/openapi.ts': await typesModule(openapi),
    'lambda/generated/validate-create-plant-event.js': validatorModule(openapi),
    'lambda/generated/validate-create-plant-event.d.ts': validatorTypes,
  };
}
