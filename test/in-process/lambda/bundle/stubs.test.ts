import { expect, jest, test } from '@jest/globals';
import { readFile } from '../../../../lambda/bundle/stubs.ts';

test('the stub for node:fs/promises rejects every read, and emits a warning that contains the path', async () => {
  const warn = jest.spyOn(process, 'emitWarning').mockReturnValue(undefined);
  await expect(readFile('/home/.aws/config')).rejects.toThrow('/home/.aws/config');
  expect(warn).toHaveBeenCalledWith(expect.stringContaining('/home/.aws/config'));
  warn.mockRestore();
});
