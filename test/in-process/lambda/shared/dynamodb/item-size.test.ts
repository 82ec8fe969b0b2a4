import { expect, test } from '@jest/globals';
import { isItemTooLarge } from '../../../../../lambda/shared/dynamodb/item-size.ts';

test.each([
  [true, new Error('Item size has exceeded the maximum allowed size'), 'ValidationException'],
  [false, new Error('One or more parameter values were invalid'), 'ValidationException'],
  [false, new Error('Item size has exceeded the maximum allowed size'), 'Error'],
])('isItemTooLarge returns %p for %p with the name %s', (expected, error, name) => {
  expect(isItemTooLarge(Object.assign(error, { name }))).toBe(expected);
  expect(isItemTooLarge({ name, message: error.message })).toBe(false);
});
