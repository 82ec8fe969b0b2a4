import { runInNewContext } from 'node:vm';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parseInt64 } from '../../../lambda/shared/http/int64.ts';
import { type Int64Node, restoreInt64s } from '../../../lambda/shared/http/json-text.ts';

const INT64: Int64Node = { int64: true };

/** @returns the parsed body, with its int64s as bigints */
function restored(json: string, nodes: readonly Int64Node[]): unknown {
  const event = { body: JSON.parse(json) };
  restoreInt64s(json, event, nodes);
  return event.body;
}

/** Returns the expected result, using a reviver, which gets each number's digits but is too slow for the handler. */
function restoredByReviver(json: string): unknown {
  const parsed: { root: unknown } = JSON.parse(
    `{"root":${json}}`,
    (_key, value, context?: { source?: string }) =>
      typeof value === 'number' ? (parseInt64(context?.source ?? '') ?? value) : value,
  );
  return parsed.root;
}

const space = fc.constantFrom('', '', ' ', '\n', '\t', '\r\n ');
const number = fc
  .tuple(
    fc.constantFrom('', '-'),
    fc.bigInt({ min: 0n, max: 2n ** 70n }).map(String),
    fc.constantFrom('', '.0', '.50', 'e2', 'E+1', '.5e-3', 'e400'),
  )
  .map((parts) => parts.join(''));
const string = fc.oneof(
  fc.constantFrom('"id"', '"\\u0069d"', '"\\"id\\":1"', '"\\\\"', '"{"', '"}"', '"]["', '"\\\\\\""', '"id:"'),
  fc.string({ unit: 'binary', maxLength: 6 }).map((text) => JSON.stringify(text)),
);
const key = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('"id"', '"id"', '"\\u0069d"', '"i\\u0064"', '"\\u0069\\u0064"') },
  { weight: 1, arbitrary: fc.constantFrom('"Id"', '"id "', '"\\\\u0069d"', '"\\"id"', '""', '"toString"') },
  { weight: 1, arbitrary: string },
);
const { value: json } = fc.letrec<{ value: string; object: string }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    number,
    string,
    fc.constantFrom('null', 'true', 'false'),
    tie('object'),
    fc.array(tie('value'), { maxLength: 3 }).map((values) => `[${values.join(',')}]`),
  ),
  object: fc
    .array(
      fc
        .tuple(space, key, space, space, tie('value'), space)
        .map(([before, name, after, next, value, end]) => `${before}${name}${after}:${next}${value}${end}`),
      { maxLength: 4 },
    )
    .map((fields) => `{${fields.join(',')}}`),
}));

describe('restoreInt64s', () => {
  const everywhere: Int64Node = { int64: true, rest: 0, items: 0 };

  test('restores the same int64s as a JSON.parse reviver, for any JSON', () => {
    fc.assert(
      fc.property(json, (text) => {
        expect(restored(text, [everywhere])).toEqual(restoredByReviver(text));
      }),
      { numRuns: 800 },
    );
  });

  const topLevelId = [{ properties: { id: 1 } }, INT64];
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

  test.each<[string, Int64Node[], string, unknown]>([
    ['in an array', [{ items: 1 }, INT64], '[1,{"a":[1]},3]', [1n, { a: [1] }, 3n]],
    [
      'in fields with names that every object inherits',
      [{ properties: { a: -1 }, rest: 1 }, INT64],
      '{"toString":5}',
      { toString: 5n },
    ],
    ['in unknown fields', [{ properties: { a: -1 }, rest: 1 }, INT64], '{"a":1,"b":2}', { a: 1, b: 2n }],
    [
      'in a recursive object',
      [{ properties: { id: 1, next: 0 } }, INT64],
      '{"id":1,"next":{"id":2,"next":null}}',
      { id: 1n, next: { id: 2n, next: null } },
    ],
    ['in a body that is only a number', [INT64], '9223372036854775807', 2n ** 63n - 1n],
    [
      'in the last of two arrays with the same key',
      [{ properties: { a: 1 } }, { items: 2 }, INT64],
      '{"a":[1,2],"a":[3]}',
      { a: [3n] },
    ],
    [
      'in an array that replaces an object with the same key',
      [{ properties: { a: 1 } }, { items: 2, rest: 2 }, INT64],
      '{"a":{"0":[1]},"a":[1.5]}',
      { a: [1.5] },
    ],
    [
      'in the last of two values that have the same key but different types',
      [{ properties: { a: 1 } }, { rest: 2 }, INT64],
      '{"a":{"0":1},"a":[2]}',
      { a: [2] },
    ],
  ])('finds the int64s %s', (_where, nodes, text, expected) => {
    expect(restored(text, nodes)).toEqual(expected);
  });

  test.each(['}1', '{1', '{{', '"', '"\\'])('does not change the event for %s, which is not JSON', (text) => {
    const event = { body: { id: 7 } };
    restoreInt64s(text, event, topLevelId);
    expect(event).toEqual({ body: { id: 7 } });
  });

  test('reads a deeply nested object without overflowing the stack', () => {
    const deep = `{"a":${'['.repeat(1_000_000)}${']'.repeat(1_000_000)},"id":7}`;
    const event = { body: { id: 7 } };
    restoreInt64s(deep, event, topLevelId);
    expect(event.body).toEqual({ id: 7n });
  });

  test.each([
    ['backslashes', (length: number) => `{"a":"${'\\\\'.repeat(length / 2)}","id":7}`],
    ['strings', (length: number) => `{"a":[${'"",'.repeat(length / 3)}0],"id":7}`],
    ['digits', (length: number) => `{"a":${'1'.repeat(length)},"id":7}`],
    ['numbers', (length: number) => `{"a":[${'1,'.repeat(length / 2)}1],"id":7}`],
  ])('takes linear time for many %s', (_what, textOf) => {
    const read = () => {
      const event = { body: { id: 7 } };
      restoreInt64s(textOf(600_000), event, topLevelId);
      return event.body.id;
    };
    // A quadratic algorithm would take minutes. Jest's own timeout cannot stop synchronous code.
    expect(runInNewContext('read()', { read }, { timeout: 10_000 })).toBe(7n);
  });
});
