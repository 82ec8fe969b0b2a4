import { execFileSync, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { PROJECT } from '../../../test/support/pages/code-blocks.ts';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { createNote, fixtureContract } from './fixture-contract.ts';

const folder = temporaryFolder();
const { Note, NewNote } = fixtureContract.components.schemas;
const { 200: stored, 429: throttled, 500: failed } = createNote.responses;
const string = { type: 'string' };

const save = (name: string, text: string) => writeFileSync(join(folder, name), text);

/** Returns the fixture's contract with changes to the parts that these tests change. */
function contractWith({ operation = {}, note = {}, newNote = {}, paths = {}, scheme = 'bearer' }) {
  return JSON.stringify({
    ...fixtureContract,
    paths: { '/notes': { post: { ...createNote, ...operation } }, ...paths },
    components: {
      ...fixtureContract.components,
      securitySchemes: { accessToken: { type: 'http', scheme } },
      schemas: { Note: { ...Note, ...note }, NewNote: { ...NewNote, ...newNote } },
    },
  });
}

beforeAll(() => {
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=Test', '-c', 'user.email=test@example.com', ...args], {
      cwd: folder,
    });
  git('init', '--quiet');
  save('openapi.json', contractWith({}));
  git('add', '.');
  git('commit', '--quiet', '-m', 'Release');
  git('tag', '-m', '1.0.0', 'v1.0.0');
});

/** Runs `npm run check:openapi` after the contract was changed. */
function check(contract: string, changelog = '# Changelog\n') {
  save('openapi.json', contract);
  save('CHANGELOG.md', changelog);
  const script = join(PROJECT, 'bin/check-openapi.ts');
  const { status, stdout } = spawnSync(process.execPath, [script], {
    cwd: folder,
    encoding: 'utf8',
  });
  return { status, stdout };
}

const without404 = contractWith({
  operation: { responses: { 200: stored, 429: throttled, 500: failed } },
});

describe('a change to openapi.json', () => {
  // One of oasdiff's errors, one of its warnings, and the rule of .oasdiff-levels.
  test.each([
    ['api-removed-without-deprecation', contractWith({ paths: { '/notes': {} } })],
    [
      'response-optional-property-removed',
      contractWith({ note: { properties: { text: string } } }),
    ],
    ['response-non-success-status-removed', without404],
  ])('is reported as breaking clients: %s', (rule, contract) => {
    expect(check(contract)).toEqual({ status: 1, stdout: expect.stringContaining(rule) });
  });

  test('is not reported if it breaks no client, or if oasdiff misses it', () => {
    const harmless = contractWith({
      operation: {
        description: 'Creates a note.',
        parameters: [{ name: 'X-Client', in: 'header', required: false, schema: string }],
        responses: { ...createNote.responses, 503: failed },
      },
      note: { properties: { ...Note.properties, origin: string } },
      newNote: { required: ['id'], properties: { ...NewNote.properties, origin: string } },
      paths: { '/pots': { post: { ...createNote, operationId: 'createPot' } } },
    });
    // docs/continuous-deployment.md lists these changes.
    const missed = contractWith({ newNote: { additionalProperties: false }, scheme: 'basic' });
    expect(check(harmless)).toMatchObject({ status: 0 });
    expect(check(missed)).toMatchObject({ status: 0 });
  });

  test('is accepted if CHANGELOG.md lists it with its method and path', () => {
    const text = 'removed the non-success response with the status `404`';
    expect(check(without404, `- POST /notes: ${text}\n`).status).toBe(1);
    expect(check(without404, `- POST /notes ${text}\n`).status).toBe(0);
  });
});
