import { describe, expect, test } from '@jest/globals';
import { sendNote } from '../../fixture-operation.ts';

describe('jsonOperation', () => {
  test('runs the operation with the parsed body, in which an int64 above 2^53 is exact', async () => {
    const body = '{"id":9007199254740993,"text":"Buy soil"}';
    const { statusCode, headers, notes } = await sendNote({ body });
    expect([statusCode, headers]).toEqual([200, { 'Content-Type': 'application/json' }]);
    expect(notes).toEqual([{ id: 9_007_199_254_740_993n, text: 'Buy soil' }]);
  });

  test.each([
    ['{"text":"Buy soil"}', 'id is required'],
    ['{"id":"5","text":1}', 'id must be integer; text must be string'],
    ['[]', 'the body must be object'],
  ])('returns 1002 and names each invalid field and its rule, for %s', async (body, message) => {
    const response = await sendNote({ body });
    expect([response.statusCode, response.body]).toEqual([400, { error: 1002, message }]);
    expect(response.notes).toEqual([]);
  });

  test.each([
    ['__proto__', '{"id":1,"text":"a","__proto__":{"more":"x"}}'],
    ['__proto__', '{"id":1,"text":"a","deep":[{"\\u005f_proto__":1}]}'],
    ['constructor', '{"id":1,"text":"a","constructor":{"prototype":1}}'],
  ])('returns 1002 for the key %s in %s', async (key, body) => {
    const response = await sendNote({ body });
    expect(response.body).toEqual({ error: 1002, message: `the key ${key} is not allowed` });
    expect(response.notes).toEqual([]);
  });

  test('checks the media type first, even if there is no body', async () => {
    const response = await sendNote({ headers: {}, body: null });
    expect([response.statusCode, response.body.error]).toEqual([400, 1000]);
  });
});
