import { execFileSync, spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { PROJECT } from '../../../../test/support/code-blocks.ts';
import { copyProject } from '../../../../test/support/edited-project.ts';
import { type MergePatch, mergePatch } from '../../../../test/support/merge-patch.ts';
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
  const edited = (patch: MergePatch) => JSON.stringify(mergePatch(JSON.parse(contract), patch));

  const path = (patch: MergePatch) => ({ paths: { '/plants': patch } });
  const post = (patch: MergePatch) => path({ post: patch });
  const field = (properties: MergePatch) => ({ components: { schemas: { NewPlant: { properties } } } });
  const limit = { name: 'limit', in: 'query', schema: { type: 'integer', maximum: 100 } };
  const rejected: [string, MergePatch][] = [
    [
      '/components/schemas/NewPlant/properties/tag/$ref: #/components/schemas/No does not exist in openapi.json; correct it',
      field({ tag: { $ref: '#/components/schemas/No' } }),
    ],
    [
      '/paths/~1plants/post: must have an operationId of letters, digits and underscores',
      post({ operationId: 'create/plant' }),
    ],
    [
      'its root: cannot generate types (Unsupported OpenAPI version: 4); fix what npm run lint reports',
      { openapi: '4' },
    ],
    [
      '/paths/~1plants/post/parameters/0: a required header parameter is not checked; make it optional, and check it in lambda/',
      post({ parameters: [{ name: 'X-Tenant', in: 'header', required: true, schema: {} }] }),
    ],
    [
      '/paths/~1plants/post/parameters/0: the schema of a query parameter is not checked; allow any string (type "string"), describe the rule, and check it in lambda/',
      post({ parameters: [limit] }),
    ],
    [
      '/paths/~1plants/post/security: every operation has the same authorizer; remove this line',
      post({ security: [] }),
    ],
    [
      '/security: every operation has the same authorizer; set this to [{"accessToken":[]}]',
      { security: null },
    ],
    [
      '/components/securitySchemes/accessToken: the authorizer checks bearer tokens; set type "http" and scheme "bearer"',
      { components: { securitySchemes: { accessToken: { type: 'apiKey' } } } },
    ],
    [
      '/paths/~1plants/parameters: a path can contain only methods; move this into each operation',
      path({ parameters: [] }),
    ],
    [
      '/paths/~1plants/post/requestBody/required: a request without a body is rejected; set this to true',
      post({ requestBody: { required: false } }),
    ],
    [
      '/paths/~1plants/post/requestBody/content: text/plain is not supported; use application/json',
      post({ requestBody: { content: { 'text/plain': {} } } }),
    ],
    ...[
      '^(a+)+$',
      '^\\d{60}-(a+)+$',
      '^(\\w{1,9}\\s?){1,9}$',
      '(a?){30}a{30}',
      '([a-z]{0,9}){3}\\d',
      '\\w+\\s*\\w+$',
    ].map((pattern): [string, MergePatch] => [
      `/components/schemas/NewPlant/properties/id/pattern: the pattern ${pattern} is invalid or can take too long; rewrite it so that a string can match in only one way`,
      field({ id: { pattern, maxLength: 100 } }),
    ]),
  ];
  const [words, names] = ['^[a-z]+(-[a-z]+)*$', '^\\p{Lu}\\p{Ll}*( \\p{L}{1,40})*$'];
  const safe = [words, names, '^\\u{1F331}{1,64}$', '^a*a*$', '\\d'];
  const accepted = field({
    code: { allOf: safe.map((pattern) => ({ pattern, maxLength: 1000 })) },
    color: { type: 'string', default: 'green' },
  });

  // Runs all cases in one process outside Jest, which cannot load openapi-typescript.
  let results: string[];
  beforeAll(() => {
    const texts = [accepted, ...rejected.map(([, patch]) => patch)].map(edited);
    const input = `import { generatedFiles } from './tools/generate/generated-files.ts';
      const generate = (text) => generatedFiles(text).then((files) => files['openapi.ts'], String);
      const results = [];
      for (const text of ${JSON.stringify(texts)}) results.push(await generate(text));
      console.log(JSON.stringify(results));`;
    results = JSON.parse(
      execFileSync(process.execPath, ['--input-type=module'], { cwd: PROJECT, input, encoding: 'utf8' }),
    );
  });

  test.each(rejected.map(([message], at) => [message, at] as const))('reports: %s', (message, at) => {
    expect(results[at + 1]).toBe(`UserError: openapi.json, at ${message}`);
  });

  test('accepts patterns that take at most quadratic time, and generates an optional property for a field with a default', () => {
    expect(results[0]).toMatch(/ color\?: string;/);
  });

  test.each([
    [
      'given an unsupported keyword',
      edited(field({ id: { nullable: true } })),
      /^openapi\.json, at .*: the keyword nullable is not supported; .*\n$/,
    ],
    [
      'without a body for a generated validator',
      edited(post({ requestBody: null })),
      /^openapi\.json has no operation for .*; restore .*\n$/,
    ],
    ['given malformed JSON', `${contract},`, /^openapi\.json is not valid JSON: .*; fix the syntax\n$/],
    [
      'without openapi.json',
      undefined,
      /^openapi\.json cannot be read .*; restore it with git restore openapi\.json\n$/,
    ],
  ])('prints one line and writes nothing %s', (_when, text, message) => {
    const generated = 'lambda/generated/validate-create-plant-event.js';
    project.save(generated, 'as it was');
    if (text === undefined) rmSync(join(project.folder, 'openapi.json'));
    else project.save('openapi.json', text);
    const { status, stdout, stderr } = generate(project.folder);
    expect([status, stdout, project.read(generated)]).toEqual([1, '', 'as it was']);
    expect(stderr).toMatch(message);
  });
});

describe('an operation', () => {
  const filesFor = (requestBody: object) => {
    const put = { operationId: 'replacePot', requestBody };
    const paths = { '/pots/{id}': { parameters: [], get: { operationId: 'getPot' }, put } };
    return validators(bodiesOf(parseContract(JSON.stringify({ paths, components }))));
  };
  const content = { 'application/json': { schema: { $ref: '#/components/schemas/Pot' } } };
  const components = { schemas: { Pot: { required: ['size'] } }, requestBodies: { Pot: { content } } };

  test('gets a validator only if it has a body, which can be in components', () => {
    const files = filesFor({ content });
    expect(Object.keys(files)).toEqual(['validate-replace-pot-event.js', 'validate-replace-pot-event.d.ts']);
    expect(filesFor({ $ref: '#/components/requestBodies/Pot' })).toEqual(files);
  });

  test('is rejected if its body has no schema', () => {
    expect(() => filesFor({ content: { 'text/plain': {} } })).toThrow(
      'openapi.json, at /paths/~1pots~1{id}/put/requestBody/content/application~1json/schema: must be a schema, got null',
    );
  });
});
