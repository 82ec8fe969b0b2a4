import { expect, test } from '@jest/globals';
import { areUnique, canonical } from '../../../lambda/shared/canonical.ts';
import { isMultipleOf } from '../../../lambda/shared/multiple-of.ts';

test.each([
  [5n, '5'],
  [5, '5'],
  [Number.POSITIVE_INFINITY, 'Infinity'],
  [[1, [2n]], '[1,[2]]'],
  [{ b: [1], a: { d: null, c: 'x' } }, '{"a":{"c":"x","d":null},"b":[1]}'],
])('canonical writes %p as %s', (value, text) => {
  expect(canonical(value)).toBe(text);
});

test.each([
  [true, []],
  [true, [1, '1', [1], { a: 1 }]],
  [true, [Number.POSITIVE_INFINITY, null, Number.NEGATIVE_INFINITY]],
  [false, [{ a: 1, b: 2 }, 0, { b: 2, a: 1 }]],
])('areUnique returns %p for %p', (unique, items) => {
  expect(areUnique(items)).toBe(unique);
});

test.each([
  [19.99, 0.01],
  [1e300, 2e-7],
  [1e21, 1],
  [0, 7],
  [-19.99, 0.01],
])('isMultipleOf accepts %d as a multiple of %d', (value, divisor) => {
  expect(isMultipleOf(value, divisor)).toBe(true);
});

test.each([
  [19.999, 0.01],
  [1e-7, 1e-6],
  [Number.NEGATIVE_INFINITY, 0.01],
])('isMultipleOf rejects %d as a multiple of %d', (value, divisor) => {
  expect(isMultipleOf(value, divisor)).toBe(false);
});
