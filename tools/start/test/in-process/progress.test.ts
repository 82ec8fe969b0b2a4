import { expect, jest, test } from '@jest/globals';
import { showProgress } from '../../progress.ts';

test.each([
  [true, 4_500, '\r  2 s\r  3 s\r  4 s\r\u001b[K'],
  [true, 1_500, '\r\u001b[K'],
  [false, 4_500, ''],
])('shows how long work has taken, on a terminal (%s), after %d ms: %j', async (isTTY, duration, shown) => {
  jest.useFakeTimers();
  let written = '';
  const write = (text: string | Uint8Array) => {
    written += text;
    return true;
  };
  const work = new Promise((resolve) => setTimeout(() => resolve('done'), duration));
  const result = showProgress(work, { isTTY, write });
  await jest.advanceTimersByTimeAsync(duration);
  await expect(result).resolves.toBe('done');
  expect(written).toBe(shown);
  expect(jest.getTimerCount()).toBe(0);
  jest.useRealTimers();
});
