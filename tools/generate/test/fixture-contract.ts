const string = { type: 'string' };
const contentOf = (schema: string) => ({
  'application/json': { schema: { $ref: `#/components/schemas/${schema}` } },
});

export const createNote = {
  operationId: 'createNote',
  requestBody: { required: true, content: contentOf('NewNote') },
  responses: {
    200: { description: 'The note is stored.', content: contentOf('Note') },
    404: { description: 'No such route.' },
  },
};

/** A contract with one operation, so that the tests of tools do not depend on the service's own. */
export const fixtureContract = {
  openapi: '3.1.1',
  info: { title: 'Fixture', version: '1.0.0' },
  security: [{ accessToken: [] }],
  paths: { '/notes': { post: createNote } },
  components: {
    securitySchemes: { accessToken: { type: 'http', scheme: 'bearer' } },
    schemas: {
      Note: {
        type: 'object',
        required: ['text'],
        properties: {
          text: string,
          color: string,
          likes: { type: ['integer', 'null'], format: 'int64' },
        },
      },
      NewNote: {
        type: 'object',
        required: ['id', 'text'],
        properties: {
          id: { type: 'integer', format: 'int64' },
          text: string,
          color: { type: 'string', default: 'yellow' },
        },
      },
    },
  },
};
