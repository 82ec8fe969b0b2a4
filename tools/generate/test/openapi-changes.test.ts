import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { PROJECT } from '../../../test/support/code-blocks.ts';
import { openapi } from '../../../test/support/contract.ts';
import { type MergePatch, mergePatch } from '../../../test/support/merge-patch.ts';

const folder = mkdtempSync(join(tmpdir(), 'plant-store-openapi-'));
afterAll(() => rmSync(folder, { recursive: true }));

const string = { type: 'string' };
const schemas = {
  Plant: {
    type: 'object',
    required: ['name'],
    properties: {
      name: string,
      tag: string,
      light: { enum: ['sun'] },
      season: { $ref: '#/components/schemas/Season' },
      colors: { type: 'array', items: { enum: ['red'] } },
    },
  },
  Season: { enum: ['spring'] },
  NewPlant: {
    type: 'object',
    required: ['id', 'name'],
    properties: { id: { type: 'integer', format: 'int64' }, name: string, tag: string },
  },
};
// Keeps only createPlant, with fixed schemas, so that the expected changes do not depend on openapi.json.
const { '/plants': path } = openapi.paths;
const components = { ...openapi.components, schemas: { ...openapi.components.schemas, ...schemas } };
const released = { ...openapi, paths: { '/plants': path }, components };

const save = (name: string, text: string) => writeFileSync(join(folder, name), text);

/** Runs `npm run check:openapi` after a change. */
function check(change: MergePatch, changelog = '# Changelog\n') {
  save('openapi.json', JSON.stringify(mergePatch(released, change)));
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
  const paths = (change: MergePatch) => ({ paths: { '/plants': change } });
  const post = (change: MergePatch) => paths({ post: change });
  const responses = (change: MergePatch) => post({ responses: change });
  const parameter = (more: object) => post({ parameters: [{ name: 'X-Client', schema: string, ...more }] });
  const newPlant = (change: MergePatch) => ({ components: { schemas: { NewPlant: change } } });
  const id = (rule: MergePatch) => newPlant({ properties: { id: rule } });
  const name = (rule: MergePatch) => newPlant({ properties: { name: rule } });
  const plant = (change: MergePatch) => ({ components: { schemas: { Plant: change } } });
  const field = (properties: MergePatch) => plant({ properties });
  const { 'application/json': json } = path.post.requestBody.content;
  const { 200: ok, 500: unexpected } = path.post.responses;
  const required = ['id', 'name', 'tag'];

  test.each<[string, MergePatch, RegExp]>([
    ['a removed path', { paths: { '/plants': null } }, /path removed/],
    ['a changed method', paths({ post: null, put: path.post }), /api removed/],
    ['a required header', parameter({ in: 'header', required: true }), /new required .header..*.X-Client./],
    ['a required query parameter', parameter({ in: 'query', required: true }), /new required .query./],
    ['a field that is now required', newPlant({ required }), /.tag. became required/],
    [
      'a new required field',
      newPlant({ required: ['id', 'name', 'origin'], properties: { origin: string } }),
      /new required request property .origin./,
    ],
    ['a changed type of a field', name({ type: 'integer' }), /.name..* from .string./],
    ['a narrower format', id({ format: 'int32' }), /to .integer.\/.int32./],
    ['a maxLength', name({ maxLength: 100 }), /maxLength was set to .100./],
    ['a minLength', name({ minLength: 1 }), /minLength was increased/],
    ['a pattern', name({ pattern: '^x' }), /added the pattern .\^x./],
    ['an enum', name({ enum: ['Oak'] }), /restricted to a list of enum/],
    ['a minimum', id({ minimum: 1 }), /min was set to/],
    ['a field removed from the response', field({ tag: null }), /removed the optional property .tag./],
    [
      'a changed type in the response',
      field({ name: { type: 'integer' } }),
      /.name. response's property type/,
    ],
    [
      'a new enum value in the response',
      field({ light: { enum: ['sun', 'shade'] } }),
      /added the new .shade. enum value to the .light. response property/,
    ],
    [
      'a new enum value in a schema that the response refers to',
      { components: { schemas: { Season: { enum: ['spring', 'fall'] } } } },
      /added the new .fall. enum value to the .season. response property/,
    ],
    [
      'a new enum value for array items in the response',
      field({ colors: { items: { enum: ['red', 'blue'] } } }),
      /added the new .blue. enum value to the .colors\/items\/. response property/,
    ],
    ['null in the response', field({ name: { type: ['string', 'null'] } }), /became nullable/],
    [
      'a field in the response that is no longer required',
      plant({ required: [] }),
      /response property .name. became optional/,
    ],
    ['a changed status', responses({ 200: null, 201: ok }), /removed the success response/],
    ['a removed status', responses({ 404: null }), /removed the non-success response.*.404./],
    [
      'a changed media type',
      post({ requestBody: { content: { 'application/json': null, 'text/json': json } } }),
      /removed the media type/,
    ],
    [
      'a removed header',
      { components: { responses: { Throttled: { headers: null } } } },
      /header .Retry-After. removed/,
    ],
  ])('is reported as breaking clients: %s', (_change, change, expected) => {
    expect(check(change)).toEqual({ status: 1, stdout: expect.stringMatching(expected) });
  });

  test.each<[string, MergePatch]>([
    ['no change', {}],
    ['an optional field', newPlant({ properties: { origin: string } })],
    ['a new field in the response', field({ origin: string })],
    ['a field that is no longer required', newPlant({ required: ['id'] })],
    ['a wider type', newPlant({ properties: { tag: { type: ['string', 'null'] } } })],
    ['an optional parameter', parameter({ in: 'header', required: false })],
    ['a new operation', { paths: { '/pots': { post: { ...path.post, operationId: 'createPot' } } } }],
    ['a new status', responses({ 503: unexpected })],
    ['a changed description', post({ description: 'Creates a plant.' })],
    // docs/continuous-deployment.md lists the changes that oasdiff misses.
    ['a rejection of unknown fields, which oasdiff misses', newPlant({ additionalProperties: false })],
    [
      'a different HTTP authentication scheme, which oasdiff misses',
      { components: { securitySchemes: { accessToken: { scheme: 'basic' } } } },
    ],
  ])('is not reported as breaking clients: %s', (_change, change) => {
    expect(check(change).status).toBe(0);
  });

  test('is accepted if CHANGELOG.md lists it with its method and path', () => {
    const change = responses({ 404: null });
    const text = 'removed the non-success response with the status `404`';
    expect(check(change, `- POST /plants: ${text}\n`).status).toBe(1);
    expect(check(change, `- POST /plants ${text}\n`).status).toBe(0);
  });
});
