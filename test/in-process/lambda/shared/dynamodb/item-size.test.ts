import { expect, test } from '@jest/globals';
import {
  itemBytesWithoutNumbers,
  MAX_ITEM_BYTES,
} from '../../../../../lambda/shared/dynamodb/item-size.ts';

test('MAX_ITEM_BYTES is the limit of DynamoDB, 400 KB', () => {
  expect(MAX_ITEM_BYTES).toBe(409_600);
});

test('itemBytesWithoutNumbers counts names and strings in UTF-8, but no numbers', () => {
  expect(itemBytesWithoutNumbers({ id: 123n, text: 'é🌱' })).toBe(
    'id'.length + 'text'.length + 2 + 4,
  );
});
