import { spawnSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { mintAccessToken } from '../../../lambda/shared/tokens/access-token.ts';
import { PROJECT } from '../../../test/support/code-blocks.ts';
import { valuesOf, workflows } from './workflow-files.ts';

const folder = mkdtempSync(join(tmpdir(), 'plant-store-workflows-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe.each(workflows)('$file', ({ text }) => {
  test('pins every action to a commit hash, with the action’s version in a comment', () => {
    const actions = valuesOf(text, 'uses');
    expect(actions).not.toEqual([]);
    expect(actions.filter((action) => !/^[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(action))).toEqual([]);
  });

  test('pins every image to a digest', () => {
    const images = [...text.matchAll(/^\s+(?:container|image): (.*)$/gm)].map(([, image]) => image);
    expect(images.filter((image = '') => !/@sha256:[0-9a-f]{64}$/.test(image))).toEqual([]);
  });

  test('has only one-line commands without GitHub expressions', () => {
    const commands = valuesOf(text, 'run');
    expect(commands.filter((command) => /^[|>]|\$\{\{/.test(command))).toEqual([]);
  });

  test('gives its token only read access, except in jobs that list more permissions', () => {
    expect(text).toMatch(/^permissions:\n {2}contents: read\n\n/m);
    expect(text).not.toContain('pull_request_target');
  });
});

describe('npm run lint:secrets', () => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { scripts } = JSON.parse(readFileSync(join(PROJECT, 'package.json'), 'utf8'));

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
