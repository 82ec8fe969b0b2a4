import { spawnSync } from 'node:child_process';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { PROJECT } from '../../../../test/support/pages/code-blocks.ts';
import { copyProject } from '../../../../test/support/project/edited-project.ts';
import { updateFiles } from '../../generated-files.ts';
import { checkPatterns } from '../../patterns.ts';
import { fixtureContract, type MergePatch, mergePatch } from '../fixture-contract.ts';

const generate = (folder: string, ...options: string[]) =>
  spawnSync(process.execPath, ['bin/generate.ts', ...options], { cwd: folder, encoding: 'utf8' });

const string = { type: 'string' };

test('the generated files are up to date with openapi.json', () => {
  const { status, stderr } = generate(PROJECT, '--check');
  expect([status, stderr]).toEqual([0, '']);
});

describe('npm run generate', () => {
  const project = copyProject();
  afterAll(project.remove);
  // Only the fixture's operation has generated files.
  const folder = join(project.folder, 'lambda/generated');
  for (const file of readdirSync(folder)) rmSync(join(folder, file));
  const contract = JSON.stringify(fixtureContract);
  project.save('openapi.json', contract);
  beforeAll(() => {
    generate(project.folder);
  });
  const edited = (patch: MergePatch) => JSON.stringify(mergePatch(JSON.parse(contract), patch));
  const generated = 'lambda/generated/validate-create-plant-event.js';

  const path = (patch: MergePatch) => ({ paths: { '/plants': patch } });
  const post = (patch: MergePatch) => path({ post: patch });
  const field = (properties: MergePatch) => ({
    components: { schemas: { NewPlant: { properties } } },
  });
  const slow = [
    '^(a+)+$',
    '(a?){30}a{30}',
    '\\w+\\s*\\w+$',
    '^[😀-🙏]+[😀-🙏]+[😀-🙏]+$',
    '^A{60}(?:aa?){99}$',
  ];
  const bearer = (accessToken: object) => ({ components: { securitySchemes: { accessToken } } });

  test.each<[string, MergePatch]>([
    [
      '/paths/~1plants/post: must have an operationId of letters',
      post({ operationId: 'create/plant' }),
    ],
    ['/paths/~1plants/get: must have an operationId of letters', path({ get: {} })],
    [
      '/paths/~1plants/post/security: every operation has the same authorizer',
      post({ security: [] }),
    ],
    ['/security: every operation has the same authorizer; set this to [{"acc', { security: null }],
    [
      '/components/securitySchemes/accessToken: the authorizer checks bearer',
      bearer({ type: 'apiKey' }),
    ],
    [
      '/paths/~1plants/parameters: a path can contain only methods; move this',
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
    [
      '/paths/~1plants/post/requestBody/content/application~1json/schema: must be a schema, got undefined',
      post({ requestBody: { content: { 'application/json': { schema: null } } } }),
    ],
    ...['^(?<x>\\d)\\k<x>$', '^(\\d)\\1$', 'A'.repeat(101)].map((pattern): [string, MergePatch] => [
      `/components/schemas/NewPlant/properties/id/pattern: the pattern ${pattern} has more than 100 characters or a back`,
      field({ id: { pattern, maxLength: 100 } }),
    ]),
    ...slow.map((pattern): [string, MergePatch] => [
      `/components/schemas/NewPlant/properties/id/pattern: the pattern ${pattern} is invalid or can take too long`,
      field({ id: { pattern, maxLength: 100 } }),
    ]),
  ])('rejects a contract with the message: %s', async (message, patch) => {
    project.save('openapi.json', edited(patch));
    await expect(updateFiles(project.folder, false)).rejects.toThrow(`openapi.json, at ${message}`);
  });

  test.each([
    ['is required', { required: true, schema: string }],
    ['is a number', { schema: { type: 'integer' } }],
    ['has a rule', { schema: { type: 'string', maxLength: 100 } }],
    ['is behind two $refs', { $ref: '#/components/parameters/A' }],
  ])('rejects a contract in which a parameter %s', async (_problem, parameter) => {
    const parameters = {
      A: { $ref: '#/components/parameters/B' },
      B: { in: 'query', schema: string },
    };
    const patch = {
      ...post({ parameters: [{ in: 'query', ...parameter }] }),
      components: { parameters },
    };
    project.save('openapi.json', edited(patch));
    await expect(updateFiles(project.folder, false)).rejects.toThrow(
      'openapi.json, at /paths/~1plants/post/parameters/0: a parameter is not checked; make it optional',
    );
  });

  test.each([
    ['given malformed JSON', `${contract},`, 'is not valid JSON: Unexpected non-whitespace'],
    ['without openapi.json', undefined, 'cannot be read (Error: ENOENT'],
  ])('says what to do %s', async (_when, text, message) => {
    if (text === undefined) rmSync(join(project.folder, 'openapi.json'));
    else project.save('openapi.json', text);
    await expect(updateFiles(project.folder, false)).rejects.toThrow(`openapi.json ${message}`);
  });

  test.each([
    [
      'given an unsupported version of OpenAPI',
      { openapi: '4' },
      'openapi.json, at its root: cannot generate types (Unsupported OpenAPI version: 4); fix what npm run lint reports',
    ],
    [
      'without a body for a generated validator',
      post({ requestBody: null }),
      'openapi.json has no operation with a body for validate-create-plant-event.d.ts and validate-create-plant-event.js in lambda/generated; restore the operation or its body, or delete these files',
    ],
  ])('prints one line and writes nothing %s', (_when, patch, message) => {
    project.save(generated, 'as it was');
    project.save('openapi.json', edited(patch));
    const { status, stdout, stderr } = generate(project.folder);
    expect([status, stdout, project.read(generated)]).toEqual([1, '', 'as it was']);
    expect(stderr).toBe(`${message}\n`);
  });

  test('with --check, names each file that is out of date, leaves it, and exits with 1', () => {
    project.save(generated, 'as it was');
    project.save('openapi.json', contract);
    const { status, stderr } = generate(project.folder, '--check');
    expect([status, stderr]).toEqual([1, `${generated} is out of date; run npm run generate\n`]);
    expect(project.read(generated)).toBe('as it was');
  });

  test('writes a validator for each operation with a body, and types in which a field with a default is optional', () => {
    const content = { 'application/json': { schema: { $ref: '#/components/schemas/NewPlant' } } };
    const put = {
      operationId: 'replacePot',
      requestBody: { $ref: '#/components/requestBodies/Pot' },
    };
    const paths = { '/pots/{id}': { get: { operationId: 'getPot' }, put } };
    const { schemas } = field({ color: { type: 'string', default: 'green' } }).components;
    const components = { schemas, requestBodies: { Pot: { content } } };
    project.save(generated, 'as it was');
    project.save('openapi.json', edited({ paths, components }));
    const { stdout } = generate(project.folder);
    expect(stdout.match(/[\w.-]+$/gm)).toEqual([
      'validate-create-plant-event.js',
      'validate-replace-pot-event.js',
      'validate-replace-pot-event.d.ts',
      'openapi.ts',
      'operations.ts',
    ]);
    expect(project.read('lambda/generated/openapi.ts')).toMatch(/ color\?: string;/);
    const [createPlant, getPot] = [
      '{"operationId":"createPlant","functionName":"create-plant","method":"POST","path":"/plants","hasBody":true}',
      '{"operationId":"getPot","functionName":"get-pot","method":"GET","path":"/pots/{id}","hasBody":false}',
    ];
    const list = project.read('lambda/generated/operations.ts');
    for (const each of [createPlant, getPot]) expect(list).toContain(`\n  ${each},\n`);
  });
});

test.each([
  '^https?://[\\w.-]+(:\\d+)?(/\\S*)?$',
  '^\\p{L}[\\p{L}\\p{M} .-]*$',
  '^[a-z\\d]([a-z\\d-]{0,61}[a-z\\d])?(\\.[a-z]+)*$',
  '^[\\da-f]{8}-([\\da-f]{4}-){3}[\\da-f]{12}$',
  '^(?=.*\\d)(?=.*[a-z]).{8,}$',
  '\\\\1',
])('the pattern %s is accepted, because it takes at most quadratic time', async (pattern) => {
  await expect(checkPatterns(new Map([['/pattern', pattern]]))).resolves.toBeUndefined();
});
