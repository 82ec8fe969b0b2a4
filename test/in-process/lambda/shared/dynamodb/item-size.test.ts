import { expect, test } from '@jest/globals';
import {
  isItemTooLarge,
  itemBytesWithoutNumbers,
} from '../../../../../lambda/shared/dynamodb/item-size.ts';

test('itemBytesWithoutNumbers counts names and strings in UTF-8, but no numbers', () => {
  expect(itemBytesWithoutNumbers({ id: 123n, text: 'é🌱' })).toBe(
    'id'.length + 'text'.length + 2 + 4,
  );
});

test.each([
  [true, new Error('Item size has exceeded the maximum allowed size'), 'ValidationException'],
  [false, new Error('One or more parameter values were invalid'), 'ValidationException'],
  [false, new Error('Item size has exceeded the maximum allowed size'), 'Error'],
])('isItemTooLarge returns %p for %p with the name %s', (expected, error, name) => {
  expect(isItemTooLarge(Object.assign(error, { name }))).toBe(expected);
  expect(isItemTooLarge({ name, message: error.message })).toBe(false);
});
