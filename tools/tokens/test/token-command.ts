import { expect, jest } from '@jest/globals';
import type { Outcome } from '../../../test/support/project/run-command.ts';
import { runCommand } from '../../command-line/run-command.ts';
import type { Output } from '../commands.ts';
import { runToken } from '../run-token.ts';

/**
 * Runs `npm run token -- …` in this process, because a process for each test takes a second, and without access to the
 * developer's AWS account.
 */
export async function token(
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<Outcome> {
  const { env: own } = process;
  process.env = { HOME: '/nonexistent', AWS_EC2_METADATA_DISABLED: 'true', ...env };
  const printed = jest.spyOn(console, 'error').mockImplementation(() => {});
  let output: Output = { stdout: '' };
  try {
    await runCommand('token', async () => {
      output = await runToken(args, process.env);
    });
    const errors = printed.mock.calls.flat();
    const stderr = [output.stderr ?? [], errors].flat().filter(Boolean).join('\n');
    return { code: Number(process.exitCode ?? 0), stdout: output.stdout, stderr };
  } finally {
    process.env = own;
    process.exitCode = undefined;
    printed.mockRestore();
  }
}

/** Runs a token command that must fail with one line on stderr and nothing on stdout, and returns the line. */
export async function fail(
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<string> {
  const { code, stdout, stderr } = await token(args, env);
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(/^token: [^\n]+$/);
  return stderr;
}
