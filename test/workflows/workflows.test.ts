import { spawnSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { mintAccessToken } from '../../lambda/shared/tokens/access-token.ts';
import { PROJECT } from '../support/code-blocks.ts';
import { valuesOf, workflows } from './workflow-files.ts';

const folder = mkdtempSync(join(tmpdir(), 'plant-store-workflows-'));
afterAll(() => rmSync(folder, { recursive: true }));

function lint(text: string) {
  const file = join(folder, 'planted.yml');
  writeFileSync(file, text);
  return spawnSync(process.execPath, ['scripts/lint-workflows.ts', file], { cwd: PROJECT, encoding: 'utf8' });
}

const VALID = `name: Planted
on: push
permissions:
  contents: read
jobs:
  one:
    runs-on: ubuntu-24.04
    steps:
      - run: echo \${{ github.sha }}
`;

describe('the linter of workflows', () => {
  test('accepts a valid workflow', () => {
    const { status, stdout } = lint(VALID);
    expect([status, stdout]).toEqual([0, 'Workflows: 1 files are valid.\n']);
  });

  test.each([
    ['an unknown key', 'runs-on:', 'run-on:', 7],
    ['an unknown context', 'github.sha', 'githup.sha', 9],
  ])('rejects %s, and names file and line', (_what, before, after, line) => {
    const { status, stdout } = lint(VALID.replace(before, after));
    expect([status, stdout]).toEqual([1, expect.stringMatching(new RegExp(`planted\\.yml:${line}: `))]);
  });
});

describe.each(workflows)('$file', ({ text }) => {
  test('pins every action by the hash of a commit, with its version', () => {
    const actions = valuesOf(text, 'uses');
    expect(actions).not.toEqual([]);
    expect(actions.filter((action) => !/^[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(action))).toEqual([]);
  });

  test('has commands of one line, into which GitHub inserts nothing', () => {
    const commands = valuesOf(text, 'run');
    expect(commands.filter((command) => /^[|>]|\$\{\{/.test(command))).toEqual([]);
  });

  test('grants its token nothing but reading, except in jobs that list more', () => {
    expect(text).toMatch(/^permissions:\n {2}contents: read\n\n/m);
    expect(text).not.toContain('pull_request_target');
  });
});

describe('the search for secrets', () => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { scripts } = JSON.parse(readFileSync(join(PROJECT, 'package.json'), 'utf8'));

  test('is part of npm run lint', () => {
    expect(scripts.lint).toContain('npm run --silent lint:secrets');
  });

  test.each([
    ['an access token of this service', mintAccessToken().text],
    ['a private key', privateKey.export({ type: 'pkcs8', format: 'pem' })],
  ])('finds %s', (_what, secret) => {
    const file = join(folder, 'planted.txt');
    writeFileSync(file, `first line\n${secret}\n`);
    const { status, stdout } = spawnSync(
      'node_modules/.bin/secretlint',
      ['--secretlintrc', '.secretlintrc.json', file],
      {
        cwd: PROJECT,
        encoding: 'utf8',
      },
    );
    expect([status, stdout]).toEqual([1, expect.stringContaining('planted.txt')]);
  });
});
