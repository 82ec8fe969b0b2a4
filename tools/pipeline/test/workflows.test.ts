import { describe, expect, test } from '@jest/globals';
import { commandsOf, workflows } from './workflow-files.ts';

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

  test('gives its token only read access, except to deploy and to report what a scan finds', () => {
    expect(permissions).toEqual({ contents: 'read' });
    const more = Object.values(jobs).flatMap((job) =>
      Object.entries(job.permissions ?? permissions),
    );
    const allowed = ['contents: read', 'id-token: write', 'security-events: write'];
    expect(more.map((each) => each.join(': ')).filter((each) => !allowed.includes(each))).toEqual(
      [],
    );
  });

  test('does not run with write access for the code of a fork', () => {
    expect(on).not.toHaveProperty('pull_request_target');
  });
});
