import { expect, test } from '@jest/globals';
import { itemBytesWithoutNumbers } from '../../../../../lambda/shared/dynamodb/item-size.ts';

test('itemBytesWithoutNumbers counts names and strings in UTF-8, but no numbers', () => {
  expect(itemBytesWithoutNumbers({ id: 123n, text: 'é🌱' })).toBe(
    'id'.length + 'text'.length + 2 + 4,
  );
});
