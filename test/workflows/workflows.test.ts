import { globSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { PROJECT } from '../support/pages/code-blocks.ts';
import { readWorkflow } from './workflow-files.ts';

const files = globSync('.github/workflows/*.yml', { cwd: PROJECT });

describe.each(files.map(readWorkflow))('$file', ({ text, on, permissions, jobs }) => {
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
    for (const image of images) expect(image).toMatch(/@sha256:[0-9a-f]{64}$/);
  });

  test('has only one-line commands without GitHub expressions', () => {
    for (const { run } of steps) expect(run ?? '').not.toMatch(/\n|\$\{\{/);
  });

  test('gives a token to every step that calls gh', () => {
    for (const { run = '', env } of steps)
      if (/\bgh api/.test(run)) expect(env).toHaveProperty('GH_TOKEN');
  });

  test('gives its token only read access, except to deploy and to report what a scan finds', () => {
    expect(permissions).toEqual({ contents: 'read' });
    for (const job of Object.values(jobs)) {
      const uses = (action: string) => JSON.stringify(job.steps).includes(action);
      expect({ ...permissions, ...job.permissions }).toEqual({
        contents: 'read',
        ...(uses('configure-aws-credentials') && { 'id-token': 'write' }),
        ...(uses('codeql-action') && { 'security-events': 'write' }),
      });
    }
  });

  test('does not run with write access for the code of a fork', () => {
    expect(on).not.toHaveProperty('pull_request_target');
  });
});
