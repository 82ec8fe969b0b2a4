import { spawnSync } from 'node:child_process';
import { expect, jest, test } from '@jest/globals';
import { runApp } from '../../lib/run-app.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

test('an invalid CDK option is reported in one line with the valid values', () => {
  const env = {
    ...process.env,
    CDK_CONTEXT_JSON: '{"stage":"Staging"}',
    CDK_OUTDIR: temporaryFolder(),
  };
  const options = { encoding: 'utf8', env } as const;
  const { stderr, status } = spawnSync(process.execPath, ['bin/plant-store.ts'], options);
  const line =
    /^Nothing was synthesized: stage must be a name that starts with .*, got "Staging"\n$/;
  expect([status, stderr]).toEqual([1, expect.stringMatching(line)]);
});

// deploy-steps.test.ts expects the warning.
test('the CDK app prints no warning about credentials if the CDK has found some', () => {
  const printed = jest.spyOn(console, 'error').mockReturnValue();
  process.env.CDK_OUTDIR = temporaryFolder();
  process.env.CDK_CLI_VERSION = '2';
  process.env.CDK_DEFAULT_ACCOUNT = '123456789012';
  runApp(() => {});
  expect(printed).not.toHaveBeenCalled();
  delete process.env.CDK_DEFAULT_ACCOUNT;
  delete process.env.CDK_CLI_VERSION;
  delete process.env.CDK_OUTDIR;
  printed.mockRestore();
});
