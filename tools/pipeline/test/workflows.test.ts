import { spawnSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { mintAccessToken } from '../../../lambda/shared/tokens/access-token.ts';
import { PROJECT } from '../../../test/support/code-blocks.ts';
import { commandsOf, workflows } from './workflow-files.ts';

const folder = mkdtempSync(join(tmpdir(), 'plant-store-workflows-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe.each(workflows)('$file', ({ text, on, permissions, jobs }) => {
  const steps = Object.values(jobs).flatMap((job) => job.steps);

  test('pins every action to a commit hash, with the action’s version in a comment', () => {
    const actions = steps.flatMap(({ uses }) => uses ?? []);
    const pinned = [...text.matchAll(/ uses: (\S+@[0-9a-f]{40}) # v\d+\.\d+\.\d+$/gm)].map(
      ([, action]) => action,
    );
    expect(actions).not.toEqual([]);
    expect(actions).toEqual(pinned);
  });

  test('pins every image to a digest', () => {
    const images = Object.values(jobs).flatMap(({ container }) => container ?? []);
    expect(images.filter((image) => !/@sha256:[0-9a-f]{64}$/.test(image))).toEqual([]);
  });

  test('has only one-line commands without GitHub expressions', () => {
    expect(commandsOf(steps).filter((command) => /\n|\$\{\{/.test(command))).toEqual([]);
  });

  test('gives its token only read access, except in jobs that list more permissions', () => {
    expect(permissions).toEqual({ contents: 'read' });
    expect(on).not.toHaveProperty('pull_request_target');
  });
});

test('.ci/run runs every check in the table of commands in CONTRIBUTING.md', () => {
  const commands = readPage('CONTRIBUTING.md').match(/(?<=^\| `)npm run [\w:]+(?=` )/gm);
  const checks =
    commands?.filter((command) => !['npm run format', 'npm run generate'].includes(command)) ?? [];
  const run = readPage('.ci/run')
    .match(/^run .*$/gm)
    ?.join('\n');
  expect(checks.length).toBeGreaterThan(4);
  expect(checks.filter((check) => !run?.includes(check))).toEqual([]);
});

describe('npm run lint:secrets', () => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { scripts } = JSON.parse(readPage('package.json'));

  test('is part of npm run lint', () => {
    expect(scripts.lint).toContain('npm run --silent lint:secrets');
  });

  test('finds one of this service’s access tokens and a private key', () => {
    const planted = {
      'token.txt': mintAccessToken().text,
      'key.pem': `${privateKey.export({ type: 'pkcs8', format: 'pem' })}`,
    };
    for (const [name, secret] of Object.entries(planted)) {
      writeFileSync(join(folder, name), `first line\n${secret}\n`);
    }
    const args = ['--secretlintrc', '.secretlintrc.js', `${folder}/*`];
    const { status, stdout } = spawnSync('node_modules/.bin/secretlint', args, {
      cwd: PROJECT,
      encoding: 'utf8',
    });
    const found = Object.keys(planted).filter((name) => stdout.includes(name));
    expect([status, found]).toEqual([1, Object.keys(planted)]);
  });
});

function readPage(file: string): string {
  return readFileSync(join(PROJECT, file), 'utf8');
}
