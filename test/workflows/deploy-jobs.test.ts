import { expect, test } from '@jest/globals';
import { valuesOf, workflows } from './workflow-files.ts';

const text = workflows.find(({ file }) => file.endsWith('deploy.yml'))?.text ?? '';
const [, ...sections] = text.slice(text.indexOf('\njobs:')).split(/^ {2}(?=[\w-]+:$)/m);
const jobs = Object.fromEntries(sections.map((section) => [section.split(':')[0], section]));

test('the workflow stores no credentials, and only jobs of an environment get a token for AWS', () => {
  expect(Object.keys(jobs)).toEqual(['pull-request', 'staging', 'prod', 'sweep']);
  expect(text).not.toMatch(/secrets\.|aws-access-key-id/);
  for (const job of Object.values(jobs)) expect(job).toMatch(/^ {4}environment: \w+$/m);
});

test.each(Object.entries(jobs))('%s runs only if the repository has a region', (_name, job) => {
  expect(job).toMatch(/^ {4}(if: (>-\n {6})?vars\.AWS_REGION != '' && |needs: staging$)/m);
  expect(job).not.toContain('||');
});

test('a pull request of a fork or of Dependabot is not deployed', () => {
  expect(jobs['pull-request']).toMatch(
    /if: >-\n.*github\.event_name == 'pull_request'\n +&& github\.event\.pull_request\.head\.repo\.full_name == github\.repository\n +&& github\.event\.pull_request\.user\.login != 'dependabot\[bot\]'\n/,
  );
});

test('a pull request is deployed, compared and measured, and its stage always destroyed', () => {
  const job = jobs['pull-request'] ?? '';
  expect(valuesOf(job, 'run').map((command) => command.split(' ').slice(0, 3).at(-1))).toEqual([
    'ci',
    'deploy',
    'conformance',
    'latency',
    'destroy',
  ]);
  expect(job).toMatch(/- if: always\(\)\n {8}run: npm run destroy -- -c stage="\$STAGE" --force\n+$/);
});

test('prod is deployed after staging, in the environment that asks for approval', () => {
  expect(jobs.staging).toContain("github.event_name == 'push'");
  expect(jobs.prod).toMatch(/^ {4}needs: staging$/m);
  expect(jobs.prod).toMatch(/^ {4}environment: prod$/m);
  expect(jobs.prod).toContain('npm run deploy -- -c stage=prod ');
});
