import { describe, expect, test } from '@jest/globals';
import { parseContract } from '../../../contract/contract.ts';
import { readOperations } from '../../read-operations.ts';
import { createNote, fixtureContract } from '../fixture-contract.ts';

const read = (contract: object) => readOperations(parseContract(JSON.stringify(contract)));
const withRoot = (fields: object) => ({ ...fixtureContract, ...fields });
const withPath = (fields: object) =>
  withRoot({ paths: { '/notes': { post: createNote, ...fields } } });
const withOperation = (fields: object) => withPath({ post: { ...createNote, ...fields } });
const withAuthorizer = (accessToken: object) =>
  withRoot({ components: { securitySchemes: { accessToken } } });

describe('a contract that the service would not follow', () => {
  test.each<[string, object]>([
    [
      '/paths/~1notes/post: must have an operationId',
      withOperation({ operationId: 'create/note' }),
    ],
    ['/paths/~1notes/get: must have an operationId of letters', withPath({ get: {} })],
    ['/paths/~1notes/parameters: a path can contain only methods', withPath({ parameters: [] })],
    [
      '/paths/~1notes/post/requestBody/required: a request without a body is rejected; set this to true',
      withOperation({ requestBody: { required: false } }),
    ],
    [
      '/paths/~1notes/post/security: every operation has the same authorizer; remove this line',
      withOperation({ security: [] }),
    ],
    [
      '/security: every operation has the same authorizer; set this to [{"accessToken":[]}]',
      withRoot({ security: [] }),
    ],
    [
      '/components/securitySchemes/accessToken: the authorizer checks bearer tokens',
      withAuthorizer({ type: 'apiKey', scheme: 'bearer' }),
    ],
    [
      '/components/securitySchemes/accessToken: the authorizer checks bearer tokens',
      withAuthorizer({ type: 'http', scheme: 'basic' }),
    ],
    [
      '/paths/~1notes/post/requestBody/content: text/plain is not supported; use application/json',
      withOperation({ requestBody: { content: { 'text/plain': {} } } }),
    ],
    [
      '/paths/~1notes/post/requestBody/content/application~1json/schema: must be a schema, got undefined',
      withOperation({ requestBody: { content: { 'application/json': {} } } }),
    ],
  ])('is rejected with the message: %s', (message, contract) => {
    expect(() => read(contract)).toThrow(`openapi.json, at ${message}`);
  });

  test.each([
    ['is required', { in: 'query', required: true, schema: { type: 'string' } }],
    ['is a number', { in: 'query', schema: { type: 'integer' } }],
    ['has a rule', { in: 'query', schema: { type: 'string', maxLength: 100 } }],
    ['is in the path, and has a rule', { in: 'path', schema: { type: 'string', pattern: 'a' } }],
  ])('is rejected if a parameter %s', (_problem, parameter) => {
    expect(() => read(withOperation({ parameters: [parameter] }))).toThrow(
      'openapi.json, at /paths/~1notes/post/parameters/0: a parameter is not checked; allow any string',
    );
  });
});
