import { expect, test } from '@jest/globals';
import { workflows } from './workflow-files.ts';

const text = workflows.find(({ file }) => file.endsWith('deploy.yml'))?.text ?? '';
const [, ...jobs] = text.slice(text.indexOf('\njobs:')).split(/^ {2}(?=[\w-]+:$)/m);

test('the workflow stores no credentials, and only jobs of an environment get a token for AWS', () => {
  expect(jobs).toHaveLength(4);
  expect(text).not.toMatch(/secrets\.|aws-access-key-id/);
  for (const job of jobs) expect(job).toMatch(/^ {4}environment: \w+$/m);
});
