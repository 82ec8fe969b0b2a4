import fc from 'fast-check';
import { int64s } from './numbers.ts';

const SPECIAL = ['', ' ', '\u0000', '\uffff', '\u{10ffff}', 'e\u0301', '\u00e9', '__proto__', 'null', '"\\/'];

/** A string of any code points, rare or common, except surrogates. */
export const unicode = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.string({ unit: 'grapheme', maxLength: 30 }),
  fc.constantFrom(...SPECIAL),
);

const valid: Readonly<Record<string, fc.Arbitrary<unknown>>> = { id: int64s, name: unicode, tag: unicode };

/** Valid values of a field in openapi.json. */
export function validValues(field: string): fc.Arbitrary<unknown> {
  const values = valid[field];
  if (values === undefined) throw new Error(`add the field ${field} to test/property/values.ts`);
  return values;
}
