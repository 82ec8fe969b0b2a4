import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { PROJECT } from '../../../test/support/code-blocks.ts';
import { openapi } from '../../../test/support/contract.ts';
import type { Json } from '../../../test/support/template-resources.ts';

const folder = mkdtempSync(join(tmpdir(), 'plant-store-openapi-'));
afterAll(() => rmSync(folder, { recursive: true }));

const released = structuredClone(openapi);
// Keeps only createPlant, with fixed schemas, so that the expected changes do not depend on openapi.json.
released.paths = { '/plants': released.paths['/plants'] };
const [name, tag] = [{ type: 'string' }, { type: 'string' }];
released.components.schemas.Plant = {
  type: 'object',
  required: ['name'],
  properties: {
    name,
    tag,
    light: { enum: ['sun'] },
    season: { $ref: '#/components/schemas/Season' },
    colors: { type: 'array', items: { enum: ['red'] } },
  },
};
released.components.schemas.Season = { enum: ['spring'] };
released.components.schemas.NewPlant = {
  type: 'object',
  required: ['id', 'name'],
  properties: { id: { type: 'integer', format: 'int64' }, name, tag },
};

const save = (name: string, text: string) => writeFileSync(join(folder, name), text);

/** Runs `npm run check:openapi` after a change. */
function check(change: (openapi: Json) => void, changelog = '# Changelog\n') {
  const after = structuredClone(released);
  change(after);
  save('openapi.json', JSON.stringify(after));
  save('CHANGELOG.md', changelog);
  const script = join(PROJECT, 'bin/check-openapi.ts');
  const { status, stdout } = spawnSync(process.execPath, [script], { cwd: folder, encoding: 'utf8' });
  return { status, stdout };
}

beforeAll(() => {
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=Test', '-c', 'user.email=test@example.com', ...args], {
      cwd: folder,
    });
  git('init', '--quiet');
  save('openapi.json', JSON.stringify(released));
  git('add', '.');
  git('commit', '--quiet', '-m', 'Release');
  git('tag', '-m', '1.0.0', 'v1.0.0');
});

describe('a change to openapi.json', () => {
  const post = (openapi: Json) => openapi.paths['/plants'].post;
  const request = (openapi: Json) => openapi.components.schemas.NewPlant;
  const name = (openapi: Json, rule: object) => Object.assign(request(openapi).properties, { name: rule });
  const string = { type: 'string' };
  /** Changes a field in the response, but not in the request, although both have the same definition. */
  const response = (openapi: Json, field: string, rule?: object) => {
    const { NewPlant, Plant } = openapi.components.schemas;
    NewPlant.properties[field] = Plant.properties[field];
    if (rule === undefined) delete Plant.properties[field];
    else Plant.properties[field] = rule;
  };
  const rename = (object: Json, from: string, to: string) => {
    object[to] = object[from];
    delete object[from];
  };
  const parameter = (openapi: Json, more: object) =>
    Object.assign(post(openapi), {
      parameters: [{ name: 'X-Client', in: 'header', schema: string, ...more }],
    });

  test.each<[string, (openapi: Json) => void, RegExp]>([
    ['a removed path', (it) => delete it.paths['/plants'], /path removed/],
    ['a changed method', (it) => rename(it.paths['/plants'], 'post', 'put'), /api removed/],
    ['a required header', (it) => parameter(it, { required: true }), /new required .header..*.X-Client./],
    [
      'a required query parameter',
      (it) => parameter(it, { in: 'query', required: true }),
      /new required .query./,
    ],
    ['a field that is now required', (it) => request(it).required.push('tag'), /.tag. became required/],
    [
      'a new required field',
      (it) => {
        request(it).properties.origin = string;
        request(it).required.push('origin');
      },
      /new required request property .origin./,
    ],
    ['a changed type of a field', (it) => name(it, { type: 'integer' }), /.name..* from .string./],
    [
      'a narrower format',
      (it) => Object.assign(request(it).properties.id, { format: 'int32' }),
      /to .integer.\/.int32./,
    ],
    ['a maxLength', (it) => name(it, { ...string, maxLength: 100 }), /maxLength was set to .100./],
    ['a minLength', (it) => name(it, { ...string, minLength: 1 }), /minLength was increased/],
    ['a pattern', (it) => name(it, { ...string, pattern: '^x' }), /added the pattern .\^x./],
    ['an enum', (it) => name(it, { ...string, enum: ['Oak'] }), /restricted to a list of enum/],
    ['a minimum', (it) => Object.assign(request(it).properties.id, { minimum: 1 }), /min was set to/],
    ['a field removed from the response', (it) => response(it, 'tag'), /removed the optional property .tag./],
    [
      'a changed type in the response',
      (it) => response(it, 'name', { type: 'integer' }),
      /.name. response's property type/,
    ],
    [
      'a new enum value in the response',
      (it) => Object.assign(it.components.schemas.Plant.properties.light, { enum: ['sun', 'shade'] }),
      /added the new .shade. enum value to the .light. response property/,
    ],
    [
      'a new enum value in a schema that the response refers to',
      (it) => Object.assign(it.components.schemas.Season, { enum: ['spring', 'fall'] }),
      /added the new .fall. enum value to the .season. response property/,
    ],
    [
      'a new enum value for array items in the response',
      (it) => Object.assign(it.components.schemas.Plant.properties.colors.items, { enum: ['red', 'blue'] }),
      /added the new .blue. enum value to the .colors\/items\/. response property/,
    ],
    ['null in the response', (it) => response(it, 'name', { type: ['string', 'null'] }), /became nullable/],
    [
      'a field in the response that is no longer required',
      (it) => Object.assign(it.components.schemas.Plant, { required: [] }),
      /response property .name. became optional/,
    ],
    ['a changed status', (it) => rename(post(it).responses, '200', '201'), /removed the success response/],
    ['a removed status', (it) => delete post(it).responses['404'], /removed the non-success response.*.404./],
    [
      'a changed media type',
      (it) => rename(post(it).requestBody.content, 'application/json', 'text/json'),
      /removed the media type/,
    ],
    [
      'a removed header',
      (it) => delete it.components.responses.Throttled.headers,
      /header .Retry-After. removed/,
    ],
  ])('is reported as breaking clients: %s', (_change, change, expected) => {
    expect(check(change)).toEqual({ status: 1, stdout: expect.stringMatching(expected) });
  });

  test.each<[string, (openapi: Json) => void]>([
    ['no change', () => {}],
    ['an optional field', (it) => Object.assign(request(it).properties, { origin: string })],
    [
      'a new field in the response',
      (it) => Object.assign(it.components.schemas.Plant.properties, { origin: string }),
    ],
    ['a field that is no longer required', (it) => Object.assign(request(it), { required: ['id'] })],
    ['a wider type', (it) => Object.assign(request(it).properties, { tag: { type: ['string', 'null'] } })],
    ['an optional parameter', (it) => parameter(it, { required: false })],
    [
      'a new operation',
      (it) => Object.assign(it.paths, { '/pots': { post: { ...post(it), operationId: 'createPot' } } }),
    ],
    ['a new status', (it) => Object.assign(post(it).responses, { 503: post(it).responses['500'] })],
    ['a changed description', (it) => Object.assign(post(it), { description: 'Creates a plant.' })],
    // docs/continuous-deployment.md lists the changes that oasdiff misses.
    [
      'a rejection of unknown fields (a change that oasdiff misses)',
      (it) => Object.assign(request(it), { additionalProperties: false }),
    ],
    [
      'a different HTTP authentication scheme (a change that oasdiff misses)',
      (it) => Object.assign(it.components.securitySchemes.accessToken, { scheme: 'basic' }),
    ],
  ])('is not reported as breaking clients: %s', (_change, change) => {
    expect(check(change).status).toBe(0);
  });

  test('is accepted if CHANGELOG.md lists it with its method and path', () => {
    const change = (it: Json) => delete post(it).responses['404'];
    const text = 'removed the non-success response with the status `404`';
    expect(check(change, `- POST /plants: ${text}\n`).status).toBe(1);
    expect(check(change, `- POST /plants ${text}\n`).status).toBe(0);
  });
});
