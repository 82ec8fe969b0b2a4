import { describe, expect, test } from '@jest/globals';
import { type Int64s, restoreInt64s } from '../../../../../lambda/shared/http/exact-numbers.ts';
import { parseInt64 } from '../../../../../lambda/shared/http/int64.ts';

const INT64: Int64s = { int64: true };
const topLevelId: Int64s = { properties: { id: INT64 } };

/** @returns the parsed body, with its int64s as bigints */
function restored(json: string, int64s: Int64s): unknown {
  const event = { body: JSON.parse(json) };
  restoreInt64s(json, event, int64s);
  return event.body;
}

// test/bundle/limits.test.ts limits the CPU time for large bodies.
describe('restoreInt64s', () => {
  test.each([
    ['{"id":9007199254740993}', { id: 9_007_199_254_740_993n }],
    ['{"id":1,"id":2}', { id: 2n }],
    ['{"id":"x","id":2}', { id: 2n }],
    ['{"id":2,"id":"x"}', { id: 'x' }],
    ['{"id":1,"id":1.5}', { id: 1.5 }],
    ['{"id":{"id":1},"id" : -2.0e1 }', { id: -20n }],
    ['{"a":{"id":1},"id":2,"b":[{"id":3}]}', { a: { id: 1 }, id: 2n, b: [{ id: 3 }] }],
    ['{"id":1,"a":"\\"id\\":2"}', { id: 1n, a: '"id":2' }],
    ['{"id":1,"\\u0069\\u0064":2}', { id: 2n }],
    ['1', 1],
  ])('reads %s as %p if the id at the top level is an int64', (text, expected) => {
    expect(restored(text, topLevelId)).toEqual(expected);
  });

  test.each<[string, Int64s, string, unknown]>([
    ['in an array', { items: INT64 }, '[1,{"a":[1]},3]', [1n, { a: [1] }, 3n]],
    [
      'in fields with names that every object inherits',
      { properties: {}, rest: INT64 },
      '{"toString":5}',
      { toString: 5n },
    ],
    ['in unknown fields', { properties: { a: {} }, rest: INT64 }, '{"a":1,"b":2}', { a: 1, b: 2n }],
    ['in a body that is only a number', INT64, '9223372036854775807', 2n ** 63n - 1n],
    [
      'in the last of two arrays with the same key',
      { properties: { a: { items: INT64 } } },
      '{"a":[1,2],"a":[3]}',
      { a: [3n] },
    ],
    [
      'in an array that replaces an object with the same key',
      { properties: { a: { items: { items: INT64 }, rest: INT64 } } },
      '{"a":{"0":[1]},"a":[1.5,[2]]}',
      { a: [1.5, [2n]] },
    ],
  ])('finds the int64s %s', (_where, int64s, text, expected) => {
    expect(restored(text, int64s)).toEqual(expected);
  });
});

describe('parseInt64', () => {
  test.each([
    ['0', 0n],
    ['-0', 0n],
    ['0.000', 0n],
    ['0e999999999', 0n],
    ['-42', -42n],
    ['5.0', 5n],
    ['7.1E+4', 71_000n],
    ['500e-2', 5n],
    ['0.00000000000000000001e20', 1n],
    ['9007199254740993', 9_007_199_254_740_993n],
    ['9223372036854775807', 2n ** 63n - 1n],
    ['-9223372036854775808', -(2n ** 63n)],
    ['9.223372036854775807e18', 2n ** 63n - 1n],
    ['92233720368547758070000e-4', 2n ** 63n - 1n],
  ])('reads %s as %s', (source, value) => {
    expect(parseInt64(source)).toBe(value);
  });

  test.each([
    '',
    '1.5',
    '5.0000000000000000000000001',
    '9007199254740992.5',
    '9223372036854775808',
    '-9223372036854775809',
    '1e19',
    '1e99999999999999999999',
    '1e-99999999999999999999',
  ])('returns undefined for %j, which is not an int64', (source) => {
    expect(parseInt64(source)).toBeUndefined();
  });

  test('reads a number with a million digits in linear time', () => {
    expect(parseInt64(`${'0'.repeat(1_000_000)}.${'0'.repeat(1_000_000)}1`)).toBeUndefined();
    expect(parseInt64(`12${'0'.repeat(1_000_000)}e-1000000`)).toBe(12n);
  });
});
