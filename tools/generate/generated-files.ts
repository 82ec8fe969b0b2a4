import { ContractError, parseContract } from './contract.ts';
import { checkIgnoredParts } from './ignored-parts.ts';
import { typesModule } from './openapi-types.ts';
import { checkPatterns } from './patterns.ts';
import { bodiesOf, validators } from './validator.ts';

/**
 * Returns the content of every generated file, by its path in the repository.
 *
 * @param openapi the text of openapi.json
 * @throws SyntaxError if the text is not JSON
 * @throws ContractError if a part of the document is not supported
 */
export async function generatedFiles(openapi: string): Promise<Record<string, string>> {
  const contract = parseContract(openapi);
  checkIgnoredParts(contract);
  const operations = bodiesOf(contract);
  for (const { patterns } of operations) await checkPatterns(patterns);
  const types = await typesModule(openapi).catch(({ message }: Error) => {
    throw new ContractError('', `cannot generate types (${message}); fix what npm run lint reports`);
  });
  const files = { ...validators(operations), 'openapi.ts': types };
  return Object.fromEntries(
    Object.entries(files).map(([name, content]) => [`lambda/generated/${name}`, content]),
  );
}
