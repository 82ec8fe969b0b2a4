import { expect, jest, test } from '@jest/globals';
import { readFile } from '../../../lambda/stubs.ts';

test('the stub for node:fs/promises rejects, and warns with the path', async () => {
  const warn = jest.spyOn(process, 'emitWarning').mockReturnValue(undefined);
  await expect(readFile('/home/.aws/config')).rejects.toThrow('reads no files: /home/.aws/config');
  expect(warn).toHaveBeenCalledWith(expect.stringContaining('/home/.aws/config'));
  warn.mockRestore();
});
