import { expect, test } from '@jest/globals';
import { runInTurn } from '../../../test/support/token-command.ts';

test('a command that calls process.exit fails its own test at once, but not the next test', async () => {
  await expect(runInTurn('start', ['--help'])).rejects.toThrow(
    'start ended the process that runs all commands (exit code 0)',
  );
  await expect(runInTurn('token', ['--help'])).resolves.toMatchObject({ code: 0 });
});
