import { expect, test } from '@jest/globals';
import { jsonResponse } from '../../../../../lambda/shared/http/response.ts';

test('jsonResponse writes an int64 with every digit', () => {
  const { statusCode, headers, body } = jsonResponse(
    201,
    { id: 2n ** 63n - 1n, text: 'a' },
    { Location: '/1' },
  );
  expect([statusCode, body]).toEqual([201, '{"id":9223372036854775807,"text":"a"}']);
  expect(headers).toEqual({ 'Content-Type': 'application/json', Location: '/1' });
});
