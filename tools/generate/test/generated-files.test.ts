import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { PROJECT } from '../../../test/support/pages/code-blocks.ts';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { createNote, fixtureContract } from './fixture-contract.ts';

const contract = JSON.stringify(fixtureContract);

/** Creates a project that contains only openapi.json and its generated files. */
function projectWith(openapi: string, generated: Record<string, string> = {}): string {
  const project = temporaryFolder();
  mkdirSync(join(project, 'lambda/generated'), { recursive: true });
  writeFileSync(join(project, 'openapi.json'), openapi);
  for (const [name, content] of Object.entries(generated))
    writeFileSync(join(project, 'lambda/generated', name), content);
  return project;
}

function generate(project: string, ...options: string[]) {
  const args = [join(PROJECT, 'bin/generate.ts'), ...options];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: project,
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

const filesIn = (project: string) => readdirSync(join(project, 'lambda/generated')).sort();
const read = (project: string, name: string) =>
  readFileSync(join(project, 'lambda/generated', name), 'utf8');

test('the generated files are up to date with openapi.json', () => {
  expect(generate(PROJECT, '--check')).toEqual({ status: 0, stdout: '', stderr: '' });
});

describe('npm run generate', () => {
  test('writes a validator for each operation with a body', () => {
    const paths = {
      '/notes': { post: createNote },
      '/notes/{id}': {
        get: { operationId: 'getNote', parameters: [{ $ref: '#/components/parameters/id' }] },
        put: {
          operationId: 'replaceNote',
          requestBody: { $ref: '#/components/requestBodies/Note' },
        },
      },
    };
    const components = {
      ...fixtureContract.components,
      requestBodies: { Note: createNote.requestBody },
      parameters: { id: { name: 'id', in: 'path', required: true, schema: { type: 'string' } } },
    };
    const project = projectWith(JSON.stringify({ ...fixtureContract, paths, components }));
    expect(generate(project)).toMatchObject({ status: 0 });
    expect(filesIn(project)).toEqual([
      'openapi.ts',
      'operations.ts',
      'validate-create-note-event.d.ts',
      'validate-create-note-event.js',
      'validate-replace-note-event.d.ts',
      'validate-replace-note-event.js',
    ]);
    const operations = read(project, 'operations.ts');
    expect(operations).toContain(
      '{"operationId":"getNote","functionName":"get-note","method":"GET","path":"/notes/{id}","hasBody":false}',
    );
    expect(operations).toContain(
      '{"operationId":"replaceNote","functionName":"replace-note","method":"PUT","path":"/notes/{id}","hasBody":true}',
    );
  });

  test('writes types in which a field with a default is optional, and an int64 can be null', () => {
    const project = projectWith(contract);
    generate(project);
    const types = read(project, 'openapi.ts');
    expect(types).toContain(' color?: string;');
    expect(types).toContain(' likes?: bigint | null;');
  });

  test('names each file that is out of date with --check, and writes only these files without it', () => {
    const project = projectWith(contract);
    generate(project);
    writeFileSync(join(project, 'lambda/generated/openapi.ts'), 'as it was');
    const stderr = 'lambda/generated/openapi.ts is out of date; run npm run generate\n';
    expect(generate(project, '--check')).toEqual({ status: 1, stdout: '', stderr });
    expect(read(project, 'openapi.ts')).toBe('as it was');

    const stdout = 'wrote lambda/generated/openapi.ts\n';
    expect(generate(project)).toEqual({ status: 0, stdout, stderr: '' });
    expect(read(project, 'openapi.ts')).not.toBe('as it was');
  });

  test.each([
    [
      'malformed JSON',
      '{',
      "openapi.json is not valid JSON: Expected property name or '}' in JSON at position 1 (line 1 column 2); fix the syntax",
    ],
    [
      'an unsupported version of OpenAPI',
      JSON.stringify({ ...fixtureContract, openapi: '4' }),
      'openapi.json, at its root: cannot generate types (Unsupported OpenAPI version: 4); fix what npm run lint reports',
    ],
    [
      'no operation for a generated validator',
      JSON.stringify({ ...fixtureContract, paths: {} }),
      'openapi.json has no operation with a body for validate-create-note-event.js in lambda/generated; restore the operation or its body, or delete these files',
    ],
  ])('prints one line and writes nothing, given %s', (_what, openapi, message) => {
    const project = projectWith(openapi, { 'validate-create-note-event.js': 'as it was' });
    expect(generate(project)).toEqual({ status: 1, stdout: '', stderr: `${message}\n` });
    expect(filesIn(project)).toEqual(['validate-create-note-event.js']);
    expect(read(project, 'validate-create-note-event.js')).toBe('as it was');
  });

  test('says what --check does, given another argument', () => {
    expect(generate(temporaryFolder(), '--chek')).toEqual({
      status: 1,
      stdout: '',
      stderr:
        'generate: expected no arguments, or --check to only name the files that are out of date, got --chek\n',
    });
  });

  test('says how to restore openapi.json if it cannot be read', () => {
    const { stderr } = generate(temporaryFolder());
    expect(stderr).toContain('restore it with git restore openapi.json');
  });
});
