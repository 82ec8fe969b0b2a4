import { execFileSync, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { PROJECT } from '../../../test/support/pages/code-blocks.ts';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { createPlant, fixtureContract, type MergePatch, mergePatch } from './fixture-contract.ts';

const folder = temporaryFolder();

const string = { type: 'string' };
const schemas = {
  Plant: {
    type: 'object',
    required: ['name'],
    properties: {
      name: string,
      tag: string,
      variety: string,
      season: { $ref: '#/components/schemas/Season' },
    },
  },
  Season: { enum: ['spring'] },
  NewPlant: {
    type: 'object',
    required: ['id', 'name'],
    properties: {
      id: { type: 'integer', format: 'int64' },
      size: { type: 'integer', format: 'int64' },
      name: string,
      tag: string,
      note: string,
    },
  },
};
const operation = (operationId: string) => ({ post: { ...createPlant, operationId } });
const released = {
  ...fixtureContract,
  paths: { '/plants': operation('createPlant'), '/removed': operation('remove') },
  components: { ...fixtureContract.components, schemas },
};

const save = (name: string, text: string) => writeFileSync(join(folder, name), text);

/** Runs `npm run check:openapi` after changes. */
function check(changes: MergePatch[], changelog = '# Changelog\n') {
  save('openapi.json', JSON.stringify(changes.reduce<unknown>(mergePatch, released)));
  save('CHANGELOG.md', changelog);
  const script = join(PROJECT, 'bin/check-openapi.ts');
  const { status, stdout } = spawnSync(process.execPath, [script], {
    cwd: folder,
    encoding: 'utf8',
  });
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
  const post = (change: MergePatch) => ({ paths: { '/plants': { post: change } } });
  const header = { name: 'X-Client', in: 'header', required: false, schema: string };
  const newPlant = (change: MergePatch) => ({ components: { schemas: { NewPlant: change } } });
  const plant = (change: MergePatch) => ({ components: { schemas: { Plant: change } } });
  const sent = (properties: MergePatch) => newPlant({ properties });
  const received = (properties: MergePatch) => plant({ properties });
  const { 500: unexpected } = createPlant.responses;

  // A few rules of oasdiff's, at each of its levels, and that of .oasdiff-levels.
  const breaking: [text: string, MergePatch][] = [
    ['api-path-removed-without-deprecation', { paths: { '/removed': null } }],
    ['request-property-became-required', newPlant({ required: ['id', 'name', 'tag', 'origin'] })],
    ['changed from `integer`/`int64` to `integer`/`int32`', sent({ size: { format: 'int32' } })],
    ['request-property-became-enum', sent({ note: { enum: ['Oak'] } })],
    ['response-optional-property-removed', received({ variety: null })],
    [
      'new `fall` enum value to the `season` response',
      { components: { schemas: { Season: { enum: ['spring', 'fall'] } } } },
    ],
    ['response-property-became-optional', plant({ required: [] })],
    ['response-non-success-status-removed', post({ responses: { 404: null } })],
    [
      'optional-response-header-removed',
      { components: { responses: { Throttled: { headers: null } } } },
    ],
  ];

  let report: ReturnType<typeof check>;
  beforeAll(() => {
    report = check(breaking.map(([, change]) => change));
  });
  test.each(breaking)('is reported as breaking clients: %s', (text) => {
    expect(report).toEqual({ status: 1, stdout: expect.stringContaining(text) });
  });

  test('is not reported if it breaks no client, or if oasdiff misses it', () => {
    const changes = [
      sent({ origin: string, tag: { type: ['string', 'null'] } }),
      received({ origin: string }),
      newPlant({ required: ['id'] }),
      post({ parameters: [header], responses: { 503: unexpected } }),
      post({ description: 'Creates a plant.' }),
      { paths: { '/pots': operation('createPot') } },
      // docs/continuous-deployment.md lists the changes that oasdiff misses.
      newPlant({ additionalProperties: false }),
      { components: { securitySchemes: { accessToken: { scheme: 'basic' } } } },
    ];
    expect(check(changes)).toMatchObject({ status: 0 });
  });

  test('is accepted if CHANGELOG.md lists it with its method and path', () => {
    const change = post({ responses: { 404: null } });
    const text = 'removed the non-success response with the status `404`';
    expect(check([change], `- POST /plants: ${text}\n`).status).toBe(1);
    expect(check([change], `- POST /plants ${text}\n`).status).toBe(0);
  });
});
