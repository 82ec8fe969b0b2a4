import { ContractError, parseContract } from './contract.ts';
import { typesModule } from './openapi-types.ts';
import { validators } from './validator.ts';

/**
 * The content of every generated file, by its path in the repository.
 *
 * @param openapi the text of openapi.json
 * @throws SyntaxError if it is not JSON
 * @throws ContractError if it has what cannot be honoured
 */
export async function generatedFiles(openapi: string): Promise<Record<string, string>> {
  const files = {
    ...validators(parseContract(openapi)),
    'openapi.ts': await typesModule(openapi).catch((error: unknown) => {
      throw new ContractError('', `no types can be generated (${error}); npm run lint names the cause`);
    }),
  };
  return Object.fromEntries(
    Object.entries(files).map(([name, content]) => [`lambda/generated/${name}`, content]),
  );
}
