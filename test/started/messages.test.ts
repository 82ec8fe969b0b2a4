import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { startFromCommandLine } from './started-service.ts';

const project = join(import.meta.dirname, '../..');

// biome-ignore lint/suspicious/noControlCharactersInRegex: that is what a colour is
const COLOUR = /\u001b\[/;

describe('npm start', () => {
  test.each([
    ['a pipe', { NO_COLOR: undefined, FORCE_COLOR: undefined }, false],
    ['what FORCE_COLOR calls a terminal', { NO_COLOR: undefined, FORCE_COLOR: '1' }, true],
  ])(
    'into %s says where it is and what to do first; in colour: %p',
    async (_to, env, coloured) => {
      const { printed, url, token, stop } = await startFromCommandLine(env);
      await stop();

      expect(printed).toContain(`${url}/docs`);
      expect(printed).toMatch(new RegExp(`curl -i ${url}/plants .*${token}`));
      expect(printed).toContain('Ctrl-C stops it');
      expect(COLOUR.test(printed)).toBe(coloured);
    },
    30_000,
  );
});

test('an option that can not be is one line, with what it may be', () => {
  const { stderr, status } = spawnSync(process.execPath, ['bin/plant-store.ts'], {
    cwd: project,
    encoding: 'utf8',
    env: { ...process.env, CDK_CONTEXT_JSON: '{"stage":"staging"}' },
  });
  expect([status, stderr]).toEqual([
    1,
    expect.stringMatching(/^Nothing was synthesized: stage must be dev or prod, not "staging": .*\n$/),
  ]);
});

test('where the packages are not installed, it says how to', () => {
  const folder = mkdtempSync(join(tmpdir(), 'plant-store-clone-'));
  cpSync(join(project, 'scripts'), join(folder, 'scripts'), { recursive: true });
  cpSync(join(project, 'package.json'), join(folder, 'package.json'));
  const { stderr, status } = spawnSync(process.execPath, ['scripts/require-node.js'], {
    cwd: folder,
    encoding: 'utf8',
  });
  rmSync(folder, { recursive: true });
  expect([status, stderr]).toEqual([1, expect.stringContaining('run npm ci')]);
});
