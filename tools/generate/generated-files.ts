import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { UserError } from '@plant-store/emulator';
import { ContractError, parseContract } from './contract.ts';
import { checkIgnoredParts } from './ignored-parts.ts';
import { typesModule } from './openapi-types.ts';
import { checkPatterns } from './patterns.ts';
import { bodiesOf, validators } from './validator.ts';

const FOLDER = 'lambda/generated';

/**
 * Writes each generated file that is out of date. With `check`, prints its name instead, and sets exit code 1.
 *
 * @throws UserError if openapi.json cannot be read, is not supported, or lacks the operation of a generated file
 */
export async function updateFiles(project: string, check: boolean): Promise<void> {
  const openapi = await readFile(join(project, 'openapi.json'), 'utf8').catch((error) => {
    throw new UserError(`openapi.json cannot be read (${error}); restore it with git restore openapi.json`);
  });
  const files = await generatedFiles(openapi);
  const removed = readdirSync(join(project, FOLDER)).filter((name) => !(name in files));
  if (removed.length > 0) {
    const advice = 'restore the operation, or delete these files';
    throw new UserError(`openapi.json has no operation for ${removed.join(' and ')} in ${FOLDER}; ${advice}`);
  }
  for (const [name, content] of Object.entries(files)) {
    const path = join(project, FOLDER, name);
    if (existsSync(path) && readFileSync(path, 'utf8') === content) continue;
    if (check) {
      console.error(`${FOLDER}/${name} is out of date; run npm run generate`);
      process.exitCode = 1;
    } else {
      writeFileSync(path, content);
      console.log(`wrote ${FOLDER}/${name}`);
    }
  }
}

/**
 * Returns the content of every generated file, by its name.
 *
 * @param openapi the text of openapi.json
 * @throws UserError if the text is not JSON, or if a part of the document is not supported
 */
export async function generatedFiles(openapi: string): Promise<Record<string, string>> {
  const contract = parseContract(openapi);
  checkIgnoredParts(contract);
  const operations = bodiesOf(contract);
  for (const { patterns } of operations) await checkPatterns(patterns);
  const types = await typesModule(openapi).catch(({ message }: Error) => {
    throw new ContractError('', `cannot generate types (${message}); fix what npm run lint reports`);
  });
  return { ...validators(operations), 'openapi.ts': types };
}
