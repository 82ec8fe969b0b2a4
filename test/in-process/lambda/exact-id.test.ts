import { runInNewContext } from 'node:vm';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { idDigits } from '../../../lambda/shared/exact-id.ts';

/** The oracle: the engine's own reading of the digits, by a reviver that the handler cannot afford. */
function digitsByReviver(json: string): string | undefined {
  const numbers = new WeakMap<object, string>();
  const root: unknown = JSON.parse(json, (_key, value, context?: { source?: string }) => {
    if (typeof value !== 'number') return value;
    const number = Object(value);
    numbers.set(number, context?.source ?? '');
    return number;
  });
  const id: unknown = root instanceof Object && 'id' in root ? root.id : undefined;
  return id instanceof Object ? numbers.get(id) : undefined;
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
  { weight: 1, arbitrary: fc.constantFrom('"Id"', '"id "', '"\\\\u0069d"', '"\\"id"', '""') },
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
const idField = fc.tuple(key, space, number).map(([name, white, digits]) => `${name}:${white}${digits}`);
const object = fc
  .tuple(
    fc.array(fc.tuple(string, json).map(([name, value]) => `${name}:${value}`)),
    idField,
    fc.array(idField),
  )
  .chain(([others, one, more]) => fc.shuffledSubarray([...others, one, ...more], { minLength: 1 }))
  .map((fields) => `{${fields.join(' ,\n')}}`);

describe('idDigits', () => {
  test('reads the digits that JSON.parse gives a reviver, in any JSON object', () => {
    let compared = 0;
    fc.assert(
      fc.property(fc.oneof(object, json), (text) => {
        const expected = digitsByReviver(text);
        if (expected === undefined) return;
        compared += 1;
        expect(idDigits(text)).toBe(expected);
      }),
      { numRuns: 3_000 },
    );
    expect(compared).toBeGreaterThan(500);
  });

  test.each([
    ['{"id":9007199254740993}', '9007199254740993'],
    ['{"id":1,"id":2}', '2'],
    ['{"id":"x","id":2}', '2'],
    ['{"id":{"id":1},"id" : -2.0e1 }', '-2.0e1'],
    ['{"a":{"id":1},"id":2,"b":[{"id":3}]}', '2'],
    ['{"id":1,"a":"id"}', '1'],
    ['{"id":1,"a":"\\"id\\":2"}', '1'],
    ['{"id":1,"\\u0069\\u0064":2}', '2'],
    ['{"id":1,"\\\\u0069d":2}', '1'],
  ])('reads from %s the digits %s', (text, digits) => {
    expect(idDigits(text)).toBe(digits);
  });

  test('reads a deeply nested object without overflowing the stack', () => {
    expect(idDigits(`{"a":${'['.repeat(1_000_000)}${']'.repeat(1_000_000)},"id":7}`)).toBe('7');
  });

  test.each([
    ['backslashes', (length: number) => `{"a":"${'\\\\'.repeat(length / 2)}","id":7}`],
    ['strings', (length: number) => `{"a":[${'"",'.repeat(length / 3)}0],"id":7}`],
    ['whitespace', (length: number) => `{"a":"b"${' '.repeat(length)},"id":7}`],
    ['fields', (length: number) => `{${'"i":1,'.repeat(length / 6)}"id":7}`],
  ])('takes linear time for many %s', (_what, textOf) => {
    const read = () => idDigits(textOf(2_400_000));
    // Quadratic time would take minutes. Jest's own timeout cannot end code that never waits.
    expect(runInNewContext('read()', { read }, { timeout: 30_000 })).toBe('7');
  });
});
