import { expect } from '@jest/globals';
import { type Outcome, runScript } from '../../../test/support/project/run-command.ts';

/** Runs the same command as `npm run token -- …`, but without access to the developer's AWS account. */
export function token(args: readonly string[], env: Record<string, string> = {}): Promise<Outcome> {
  return runScript('token', args, env);
}

/** Runs a token command that must succeed, and returns its output. */
export async function succeed(
  args: readonly string[],
  env: Record<string, string>,
): Promise<string> {
  const { code, stdout, stderr } = await token(args, env);
  expect([code, stderr.includes('token:')]).toEqual([0, false]);
  return stdout.trimEnd();
}

/** Runs a token command that must fail with one line on stderr and nothing on stdout, and returns the line. */
export async function fail(
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<string> {
  const { code, stdout, stderr } = await token(args, env);
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(/^token: [^\n]+\n$/);
  return stderr.trimEnd();
}
