import { execFileSync, spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { PROJECT } from '../../../../test/support/code-blocks.ts';
import { copyProject } from '../../../../test/support/edited-project.ts';
import type { Json } from '../../../../test/support/template-resources.ts';
import { parseContract } from '../../contract.ts';
import { validators } from '../../validator.ts';

const generate = (folder: string, ...options: string[]) =>
  spawnSync(process.execPath, ['bin/generate.ts', ...options], { cwd: folder, encoding: 'utf8' });

test('the generated files are up to date with openapi.json', () => {
  const { stderr } = generate(PROJECT, '--check');
  expect(stderr).toBe('');
});

describe('npm run generate', () => {
  const project = copyProject();
  afterAll(project.remove);
  const contract = project.read('openapi.json');
  const edited = (edit: (contract: Json) => void) => {
    const edits = JSON.parse(contract);
    edit(edits);
    return JSON.stringify(edits);
  };
  const properties = (it: Json) => it.components.schemas.NewPlant.properties;

  const rejected: [string, (contract: Json) => void, string][] = [
    [
      'a $ref in the body that points to nothing',
      (it) => Object.assign(properties(it).tag, { $ref: '#/components/schemas/Plant/properties/tags' }),
      '/components/schemas/NewPlant/properties/tag/$ref: #/components/schemas/Plant/properties/tags does not exist; correct the reference, or add its target',
    ],
    [
      'a $ref in a response that points to nothing',
      (it) =>
        Object.assign(it.paths['/plants'].post.responses, { 400: { $ref: '#/components/responses/No' } }),
      '/paths/~1plants/post/responses/400/$ref: #/components/responses/No does not exist; correct the reference, or add its target',
    ],
    [
      'an operation with an invalid name',
      (it) => Object.assign(it.paths['/plants'].post, { operationId: 'create/plant' }),
      '/paths/~1plants/post: must have an operationId of letters, digits and underscores, got "create/plant"',
    ],
    [
      'an unsupported version of OpenAPI',
      (it) => Object.assign(it, { openapi: '4' }),
      'its root: cannot generate types (Unsupported OpenAPI version: 4); fix the errors that npm run lint reports',
    ],
    [
      'OpenAPI 3.0',
      (it) => Object.assign(it, { openapi: '3.0.3' }),
      '/openapi: must be 3.1, whose schemas are JSON Schema 2020-12, got "3.0.3"; convert the document',
    ],
    [
      'a different dialect of JSON Schema',
      (it) => Object.assign(it, { jsonSchemaDialect: 'http://json-schema.org/draft-07/schema#' }),
      '/jsonSchemaDialect: only JSON Schema 2020-12 is supported; remove this line',
    ],
    [
      'a required parameter',
      (it) =>
        Object.assign(it.paths['/plants'].post, {
          parameters: [{ name: 'X-Tenant', in: 'header', required: true, schema: {} }],
        }),
      '/paths/~1plants/post/parameters/0: a required header parameter is not checked; make it optional, and check it in lambda/',
    ],
    ...[[], [{ accessToken: ['plants:write'] }], [{ accessToken: [] }, {}]].map(
      (security): [string, (contract: Json) => void, string] => [
        `an operation with the security ${JSON.stringify(security)}`,
        (it) => Object.assign(it.paths['/plants'].post, { security }),
        '/paths/~1plants/post/security: every operation has the same authorizer, which requires an access token; remove this line, or implement it in lib/api/plants-api.ts, and allow it in tools/generate/ignored-parts.ts',
      ],
    ),
    [
      'a document with a scope',
      (it) => {
        it.components.securitySchemes.oauth = { type: 'oauth2', flows: {} };
        it.security = [{ oauth: ['plants:write'] }];
      },
      '/security: every operation has the same authorizer, which requires an access token; set this to [{"accessToken":[]}], or implement it in lib/api/plants-api.ts, and allow it in tools/generate/ignored-parts.ts',
    ],
    [
      'a document without security',
      (it) => delete it.security,
      '/security: every operation has the same authorizer, which requires an access token; set this to [{"accessToken":[]}], or implement it in lib/api/plants-api.ts, and allow it in tools/generate/ignored-parts.ts',
    ],
    [
      'an API key',
      (it) =>
        Object.assign(it.components.securitySchemes.accessToken, { type: 'apiKey', name: 'k', in: 'header' }),
      '/components/securitySchemes/accessToken/type: an API key is not checked; replace this scheme with type "http" and scheme "bearer", or implement it in lib/api/plants-api.ts, and allow it in tools/generate/ignored-parts.ts',
    ],
    [
      'parameters of a path',
      (it) =>
        Object.assign(it.paths['/plants'], { parameters: [{ name: 'X-Client', in: 'header', schema: {} }] }),
      '/paths/~1plants/parameters: a path can contain only methods; move this into each operation',
    ],
    [
      'an optional body',
      (it) => Object.assign(it.paths['/plants'].post.requestBody, { required: false }),
      '/paths/~1plants/post/requestBody/required: a request without a body is rejected; set this to true',
    ],
    [
      'a media type other than application/json',
      (it) => Object.assign(it.paths['/plants'].post.requestBody.content, { 'text/plain': {} }),
      '/paths/~1plants/post/requestBody/content/text~1plain: only application/json is supported; remove this media type',
    ],
    [
      'an example in "example" instead of "examples"',
      (it) =>
        Object.assign(it.paths['/plants'].post.requestBody.content['application/json'], { example: {} }),
      '/paths/~1plants/post/requestBody/content/application~1json/example: is not used; move it to "examples"',
    ],
    [
      'an example without a value',
      (it) =>
        Object.assign(it.paths['/plants'].post.requestBody.content['application/json'].examples, {
          tagged: { externalValue: 'plant.json' },
        }),
      '/paths/~1plants/post/requestBody/content/application~1json/examples/tagged: has no "value"; add the value here instead of a reference',
    ],
    [
      'a pattern that takes exponential time',
      (it) =>
        Object.assign(it.components.schemas.Plant.properties.name, { pattern: '^(a+)+$', maxLength: 9 }),
      '/components/schemas/Plant/properties/name/pattern: ^(a+)+$ can take exponential time; rewrite it so that a string can match in only one way',
    ],
    [
      'a pattern that takes quadratic time',
      (it) => Object.assign(properties(it).id, { pattern: '^a*a*$' }),
      '/components/schemas/NewPlant/properties/id/pattern: ^a*a*$ can take more than linear time; rewrite it, or limit the string with a maxLength of at most 1581',
    ],
    [
      'a pattern for property names that takes exponential time although its repetitions are limited',
      (it) =>
        Object.assign(it.components.schemas.NewPlant, { patternProperties: { '^(a?){30}a{30}$': true } }),
      '/components/schemas/NewPlant/patternProperties: ^(a?){30}a{30}$ can take exponential time; rewrite it so that a string can match in only one way',
    ],
    ...[
      ...['^(\\w{1,9}\\s?){1,9}$', '^(((a{0,9}){0,9}){0,9}){0,9}$', '^(a?b?c?){9}$', '^(a|){30}$'],
      ...[`^${'a?'.repeat(30)}b$`, '^(?:a|aa){1,9}(?:a|aa){1,9}(?:a|aa){1,9}b$'],
    ].map((pattern): [string, (contract: Json) => void, string] => [
      `a pattern whose limited repetitions take exponential time: ${pattern}`,
      (it) => Object.assign(properties(it).id, { pattern, maxLength: 100 }),
      `/components/schemas/NewPlant/properties/id/pattern: ${pattern} can take exponential time; rewrite it so that a string can match in only one way`,
    ]),
    [
      'a pattern that cannot be analyzed',
      (it) => Object.assign(properties(it).id, { pattern: '^(?=.*x).*$' }),
      '/components/schemas/NewPlant/properties/id/pattern: ^(?=.*x).*$ cannot be shown to take linear time (look-ahead assertion); rewrite it, or remove it and enforce the rule with code in lambda/',
    ],
  ];
  const linear = ['^[a-z]+(-[a-z]+)*$', '^\\p{Lu}\\p{Ll}*( \\p{L}{1,40})*$', '^\\u{1F331}{1,64}$', '\\d'];
  const fewWays = [
    '^((25[0-5]|2[0-4]\\d|1?\\d?\\d)\\.){3}\\d{1,3}$',
    '^(\\d{1,3}[ -]?){1,4}$',
    '^([a-z][)(}]?){1,40}$',
    '^A?B?C?D?E?F?G?H?I?J?K?L?M?N?$',
  ];
  const bounded = ['^a*a*$', '^[a-z]{1,20}-?[a-z]{1,20}$'];
  const accepted = (it: Json) => {
    const patterns = [...linear, ...fewWays].map((pattern) => ({ pattern }));
    const limited = bounded.map((pattern) => ({ pattern, maxLength: 1581 }));
    Object.assign(properties(it).id, { allOf: [...patterns, ...limited] });
    Object.assign(it.components.schemas.Plant.properties.tag, { default: 'indoor' });
  };

  // Runs all cases in one process outside Jest, which cannot load openapi-typescript.
  let results: string[];
  beforeAll(() => {
    const texts = [accepted, ...rejected.map(([, edit]) => edit)].map(edited);
    const input = `import { generatedFiles } from './tools/generate/generated-files.ts';
      const generate = (text) => generatedFiles(text).then((files) => files['lambda/generated/openapi.ts'], String);
      const results = [];
      for (const text of ${JSON.stringify(texts)}) results.push(await generate(text));
      console.log(JSON.stringify(results));`;
    results = JSON.parse(
      execFileSync(process.execPath, ['--input-type=module'], { cwd: PROJECT, input, encoding: 'utf8' }),
    );
  });

  test.each(rejected.map(([what, , message], at) => ({ what, message, at })))(
    'rejects $what, and names its position',
    ({ message, at }) => {
      expect(results[at + 1]).toBe(`ContractError: openapi.json, at ${message}`);
    },
  );

  test('accepts patterns that take linear time or have a small maxLength, and generates an optional property for a field with a default', () => {
    expect(results[0]).toMatch(/ tag\?: string;/);
  });

  test('prints one line and writes nothing if openapi.json is not supported, lacks an operation, is not JSON, or does not exist', () => {
    const generated = 'lambda/generated/validate-create-plant-event.js';
    project.save(generated, 'as it was');
    const print = () => {
      const { status, stdout, stderr } = generate(project.folder);
      expect([status, stdout, project.read(generated)]).toEqual([1, '', 'as it was']);
      return stderr;
    };
    project.save(
      'openapi.json',
      edited((it) => Object.assign(properties(it).id, { nullable: true })),
    );
    expect(print()).toBe(
      'openapi.json, at /components/schemas/NewPlant/properties/id/nullable: the keyword nullable is not supported; add "null" to type, as in ["string", "null"]\n',
    );
    project.save(
      'openapi.json',
      edited((it) => delete it.paths['/plants'].post.requestBody),
    );
    expect(print()).toBe(
      'openapi.json has no operation for lambda/generated/validate-create-plant-event.d.ts; restore the operation, or delete the file\n',
    );
    project.save('openapi.json', `${contract},`);
    expect(print()).toMatch(
      /^openapi\.json is not valid JSON: .*; fix the syntax and run npm run generate again\n$/,
    );
    rmSync(join(project.folder, 'openapi.json'));
    expect(print()).toMatch(
      /^openapi\.json cannot be read .*; restore it, for example with git restore openapi\.json\n$/,
    );
  });
});

describe('an operation', () => {
  const contract = (requestBody: string) =>
    parseContract(
      `{"paths":{"/pots/{id}":{"parameters":[],"get":{"operationId":"getPot"},"put":{"operationId":"replacePot","requestBody":${requestBody}}}},"components":{"schemas":{"Pot":{"type":"object","required":["size"]}},"requestBodies":{"Pot":{"content":{"application/json":{"schema":{"required":["size"]}}}}}}}`,
    );

  test.each([
    '{"content":{"application/json":{"schema":{"$ref":"#/components/schemas/Pot"}}}}',
    '{"$ref":"#/components/requestBodies/Pot"}',
  ])('gets a validator only if it has a body: %s', (requestBody) => {
    const files = validators(contract(requestBody));
    expect(Object.keys(files)).toEqual(['validate-replace-pot-event.js', 'validate-replace-pot-event.d.ts']);

    const calls = [{ size: 'L' }, {}].map((body) => `validate(${JSON.stringify({ body })})`);
    const printed = execFileSync(process.execPath, ['--input-type=module'], {
      input: `${files['validate-replace-pot-event.js']}\nconsole.log(String([${calls.join(', ')}]))`,
      encoding: 'utf8',
    });
    expect(printed).toBe('true,false\n');
  });

  test('is rejected if its body has no schema', () => {
    expect(() => validators(contract('{"content":{"text/plain":{}}}'))).toThrow(
      'openapi.json, at /paths/~1pots~1{id}/put/requestBody/content/application~1json/schema: is missing; add a schema',
    );
  });
});
