import { describe, expect, test } from '@jest/globals';
import { type Int64s, restoreInt64s } from '../../../../../lambda/shared/http/restore-int64s.ts';

const INT64: Int64s = { int64: true };
const topLevelId: Int64s = { properties: { id: INT64 } };

function restored(json: string, int64s: Int64s): unknown {
  return restoreInt64s(json, JSON.parse(json), int64s);
}

// test/bundle/limits.test.ts limits the CPU time for large bodies.
describe('restoreInt64s', () => {
  test.each([
    ['{"id":9007199254740993}', { id: 9_007_199_254_740_993n }],
    ['{"id":"x","id":2}', { id: 2n }],
    ['{"id":2,"id":"x"}', { id: 'x' }],
    ['{"id":{"id":1},"id" : -2.0e1 }', { id: -20n }],
    ['{"a":{"id":1},"id":2,"b":[{"id":3}]}', { a: { id: 1 }, id: 2n, b: [{ id: 3 }] }],
    ['{"id":1,"a":"\\"id\\":2"}', { id: 1n, a: '"id":2' }],
    ['{"id":1,"\\u0069\\u0064":2}', { id: 2n }],
    ['{"toString":5,"constructor":{"id":1}}', { toString: 5, constructor: { id: 1 } }],
    ['1', 1],
    ['null', null],
    ['{"id":null}', { id: null }],
  ])('if the id at the top level is an int64, reads %s as %p', (text, expected) => {
    expect(restored(text, topLevelId)).toEqual(expected);
  });

  test.each<[string, Int64s, string, unknown]>([
    [
      'in an object, if an array is valid too',
      { items: INT64, properties: { id: INT64 } },
      '{"id":1,"a":1.5}',
      { id: 1n, a: 1.5 },
    ],
    [
      'in the last of two arrays with the same key',
      { properties: { a: { items: INT64 } } },
      '{"a":[1,2],"a":[3]}',
      { a: [3n] },
    ],
    [
      'in an array that replaces an object with the same key',
      { properties: { a: { items: { items: INT64 }, properties: { 0: INT64 } } } },
      '{"a":{"0":[1]},"a":[1.5,[2]]}',
      { a: [1.5, [2n]] },
    ],
  ])('finds the int64s %s', (_where, int64s, text, expected) => {
    expect(restored(text, int64s)).toEqual(expected);
  });

  test('restores 100,000 int64s in linear time', () => {
    const text = `[${'9007199254740993,'.repeat(99_999)}0]`;
    expect(restored(text, { items: INT64 })).toHaveLength(100_000);
  });

  test.each([
    ['{"id":9007199254740992.5}', topLevelId, 'id'],
    ['{"id":{"id":1},"a":1,"id":-9223372036854775809}', topLevelId, 'id'],
    [
      '{"a":{"b":[1,1e-400]}}',
      { properties: { a: { properties: { b: { items: INT64 } } } } },
      'a.b.1',
    ],
    ['9223372036854775808', INT64, 'the body'],
  ])('rejects a number that is not an int64, and names its field: %s', (json, int64s, field) => {
    const message = `${field} must be an integer from -9223372036854775808 to 9223372036854775807`;
    expect(() => restored(json, int64s)).toThrow(message);
  });
});
