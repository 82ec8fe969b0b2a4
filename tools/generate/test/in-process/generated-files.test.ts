import { execFileSync, spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { PROJECT } from '../../../../test/support/code-blocks.ts';
import { copyProject } from '../../../../test/support/edited-project.ts';
import type { Json } from '../../../../test/support/template-resources.ts';
import { parseContract } from '../../contract.ts';
import { bodiesOf, validators } from '../../validator.ts';

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
      (it) => Object.assign(properties(it).tag, { $ref: '#/components/schemas/No' }),
      '/components/schemas/NewPlant/properties/tag/$ref: #/components/schemas/No does not exist in openapi.json; correct it',
    ],
    [
      'an operation with an invalid name',
      (it) => Object.assign(it.paths['/plants'].post, { operationId: 'create/plant' }),
      '/paths/~1plants/post: must have an operationId of letters, digits and underscores',
    ],
    [
      'an unsupported version of OpenAPI',
      (it) => Object.assign(it, { openapi: '4' }),
      'its root: cannot generate types (Unsupported OpenAPI version: 4); fix what npm run lint reports',
    ],
    [
      'a required parameter',
      (it) =>
        Object.assign(it.paths['/plants'].post, {
          parameters: [{ name: 'X-Tenant', in: 'header', required: true, schema: {} }],
        }),
      '/paths/~1plants/post/parameters/0: a required header parameter is not checked; make it optional, and check it in lambda/',
    ],
    [
      'an optional parameter with a rule',
      (it) =>
        Object.assign(it.paths['/plants'].post, {
          parameters: [{ name: 'limit', in: 'query', schema: { type: 'integer', maximum: 100 } }],
        }),
      '/paths/~1plants/post/parameters/0: the schema of a query parameter is not checked; allow any string (type "string"), describe the rule, and check it in lambda/',
    ],
    [
      'an operation without security',
      (it) => Object.assign(it.paths['/plants'].post, { security: [] }),
      '/paths/~1plants/post/security: every operation has the same authorizer; remove this line',
    ],
    [
      'a document without security',
      (it) => delete it.security,
      '/security: every operation has the same authorizer; set this to [{"accessToken":[]}]',
    ],
    [
      'an authentication scheme other than bearer tokens',
      (it) => Object.assign(it.components.securitySchemes.accessToken, { type: 'apiKey' }),
      '/components/securitySchemes/accessToken: the authorizer checks bearer tokens; set type "http" and scheme "bearer"',
    ],
    [
      'parameters of a path',
      (it) => Object.assign(it.paths['/plants'], { parameters: [] }),
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
      '/paths/~1plants/post/requestBody/content: text/plain is not supported; use application/json',
    ],
    ...['^(a+)+$', '^(\\w{1,9}\\s?){1,9}$', '(a?){30}a{30}', '([a-z]{0,9}){3}\\d', '\\w+\\s*\\w+$'].map(
      (pattern): [string, (contract: Json) => void, string] => [
        `a pattern that can take too long: ${pattern}`,
        (it) => Object.assign(properties(it).id, { pattern, maxLength: 100 }),
        `/components/schemas/NewPlant/properties/id/pattern: the pattern ${pattern} can take too long; rewrite it so that a string can match in only one way`,
      ],
    ),
  ];
  const accepted = (it: Json) => {
    const patterns = [
      '^[a-z]+(-[a-z]+)*$',
      '^\\p{Lu}\\p{Ll}*( \\p{L}{1,40})*$',
      '^\\u{1F331}{1,64}$',
      '^a*a*$',
      '\\d',
    ];
    properties(it).code = { allOf: patterns.map((pattern) => ({ pattern, maxLength: 1000 })) };
    Object.assign(it.components.schemas.Plant.properties.tag, { default: 'indoor' });
  };

  // Runs all cases in one process outside Jest, which cannot load openapi-typescript.
  let results: string[];
  beforeAll(() => {
    const texts = [accepted, ...rejected.map(([, edit]) => edit)].map(edited);
    const input = `import { generatedFiles } from './tools/generate/generated-files.ts';
      const generate = (text) => generatedFiles(text).then((files) => files['openapi.ts'], String);
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
      expect(results[at + 1]).toBe(`UserError: openapi.json, at ${message}`);
    },
  );

  test('accepts patterns that take at most quadratic time, and generates an optional property for a field with a default', () => {
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
    expect(print()).toMatch(/^openapi\.json is not valid JSON: .*; fix the syntax\n$/);
    rmSync(join(project.folder, 'openapi.json'));
    expect(print()).toMatch(/^openapi\.json cannot be read .*; restore it with git restore openapi\.json\n$/);
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
    const files = validators(bodiesOf(contract(requestBody)));
    expect(Object.keys(files)).toEqual(['validate-replace-pot-event.js', 'validate-replace-pot-event.d.ts']);

    const calls = [{ size: 'L' }, {}].map((body) => `validate(${JSON.stringify({ body })})`);
    const printed = execFileSync(process.execPath, ['--input-type=module'], {
      input: `${files['validate-replace-pot-event.js']}\nconsole.log(String([${calls.join(', ')}]))`,
      encoding: 'utf8',
    });
    expect(printed).toBe('true,false\n');
  });

  test('is rejected if its body has no schema', () => {
    expect(() => validators(bodiesOf(contract('{"content":{"text/plain":{}}}')))).toThrow(
      'openapi.json, at /paths/~1pots~1{id}/put/requestBody/content/application~1json/schema: must be a schema, got null',
    );
  });
});
