import { ajv, dereference, openapi } from '../support/contract.ts';

const isNewPlant = ajv.compile({ $ref: 'openapi.json#/components/schemas/NewPlant' });

/** Whether openapi.json allows a body. The body's int64s can be bigints. */
export function isValidNewPlant(body: object): boolean {
  const rounded = Object.entries(body).map(([name, value]) => [
    name,
    typeof value === 'bigint' ? Number(value) : value,
  ]);
  return isNewPlant(Object.fromEntries(rounded));
}

const { NewPlant } = openapi.components.schemas;

const { examples } = openapi.paths['/plants'].post.requestBody.content['application/json'];

/** A NewPlant that openapi.json shows as an example. */
export const examplePlant: Readonly<Record<string, unknown>> = examples.tagged.value;

/** The fields of a NewPlant except its id. */
export const plantFields = Object.entries<{ $ref?: string; format?: string }>(NewPlant.properties)
  .filter(([name]) => name !== 'id')
  .map(([name, rules]) => ({
    name,
    required: Boolean(NewPlant.required.includes(name)),
    format: dereference(rules).format,
  }));

/**
 * The first field of the example that can be as large as a DynamoDB item; empty if the contract limits the length of
 * every field.
 */
export const largeFields: readonly string[] = Object.keys(examplePlant)
  .filter((name) => isValidNewPlant({ ...examplePlant, [name]: 'x'.repeat(409_600) }))
  .slice(0, 1);
