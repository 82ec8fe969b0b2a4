const string = { type: 'string' };
const contentOf = (schema: string) => ({
  'application/json': { schema: { $ref: `#/components/schemas/${schema}` } },
});

export const createPlant = {
  operationId: 'createPlant',
  requestBody: { required: true, content: contentOf('NewPlant') },
  responses: {
    200: { description: 'The plant is stored.', content: contentOf('Plant') },
    404: { description: 'No such route.' },
    429: { $ref: '#/components/responses/Throttled' },
    500: { description: 'The service failed.' },
  },
};

/** A contract with one operation, so that the tests of tools do not depend on the service's own. */
export const fixtureContract = {
  openapi: '3.1.1',
  info: { title: 'Fixture', version: '1.0.0' },
  security: [{ accessToken: [] }],
  paths: { '/plants': { post: createPlant } },
  components: {
    securitySchemes: { accessToken: { type: 'http', scheme: 'bearer' } },
    schemas: {
      Plant: { type: 'object', required: ['name'], properties: { name: string } },
      NewPlant: {
        type: 'object',
        required: ['id', 'name'],
        properties: { id: { type: 'integer', format: 'int64' }, name: string },
      },
    },
    responses: {
      Throttled: {
        description: 'Too many requests.',
        headers: { 'Retry-After': { schema: string } },
      },
    },
  },
};

/** An edit of a JSON document: the changed values, in which null removes a key (RFC 7396). */
export type MergePatch = object | string | number | boolean | null;

/** Returns the edited document. */
export function mergePatch(document: unknown, patch: MergePatch): unknown {
  if (Array.isArray(patch) || patch !== Object(patch)) return patch;
  const merged = { ...Object(document) };
  for (const [key, value] of Object.entries<MergePatch>(Object(patch))) {
    if (value === null) delete merged[key];
    else merged[key] = mergePatch(merged[key], value);
  }
  return merged;
}
