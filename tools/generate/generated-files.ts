import { ContractError, parseContract } from './contract.ts';
import { checkIgnoredParts } from './ignored-parts.ts';
import { checkPatterns } from './linear-patterns.ts';
import { typesModule } from './openapi-types.ts';
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
  const files = {
    ...validators(contract),
    'openapi.ts': await typesModule(openapi).catch(({ message }: Error) => {
      throw new ContractError(
        '',
        `cannot generate types (${message}); fix the errors that npm run lint reports`,
      );
    }),
  };
  for (const { body } of bodiesOf(contract)) await checkPatterns(body.all);
  return Object.fromEntries(
    Object.entries(files).map(([name, content]) => [`lambda/generated/${name}`, content]),
  );
}
