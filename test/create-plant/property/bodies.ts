import fc from 'fast-check';
import { plantFields } from '../plants.ts';

const SPECIAL = [
  '',
  ' ',
  '\u0000',
  '\uffff',
  '\u{10ffff}',
  'e\u0301',
  '\u00e9',
  '__proto__',
  'null',
  '"\\/',
];

/** Any code point except a surrogate, like fast-check's unit `binary`, which takes a second to list them all. */
const codePoint = fc.nat(0x10f7ff).map(
  (at) => String.fromCodePoint(at < 0xd800 ? at : at + 0x800),
  // fast-check tries names such as `__proto__` more often if it can split them into code points.
  (text) => (/^[!-~]$/.test(`${text}`) ? `${text}`.charCodeAt(0) : -1),
);

/** A string of any code points, rare or common, except surrogates. */
const unicode = fc.oneof(
  fc.string({ unit: codePoint, maxLength: 30 }),
  fc.string({ unit: 'grapheme', maxLength: 30 }),
  fc.constantFrom(...SPECIAL),
);

const MIN = -(2n ** 63n);
const MAX = 2n ** 63n - 1n;

/** Valid ids: any int64. Values near the limits, and near the limits of JavaScript's exact integers, are especially frequent. */
const ids: fc.Arbitrary<bigint> = fc.oneof(
  fc.bigInt({ min: MIN, max: MAX }),
  ...[MIN + 10n, MAX - 10n, 0n, 2n ** 53n, -(2n ** 53n), 10n ** 18n].map((around) =>
    fc.bigInt({ min: around - 10n, max: around + 10n }),
  ),
);

/** An integer, written in any way that JSON allows, such as `7100`, `7.1e3`, `71.00E+2` or `7100000e-3`. */
const spelledInteger = (value: bigint): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 2, arbitrary: fc.constant(String(value)) },
    {
      weight: 1,
      arbitrary: fc
        .tuple(
          fc.integer({ min: -20, max: 25 }),
          fc.nat(3),
          fc.constantFrom('e', 'E'),
          fc.boolean(),
        )
        .map(([shift, zeros, e, plus]) => shifted(value, shift, zeros, e, plus)),
    },
  );

/** Any number that JSON's grammar allows: huge, tiny, long, or close to an int64. */
const writtenNumber: fc.Arbitrary<string> = fc.oneof(
  fc.bigInt({ min: MIN - 3n, max: MIN + 3n }).map(String),
  fc.bigInt({ min: MAX - 3n, max: MAX + 3n }).map(String),
  fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n }).map(String),
  fc.stringMatching(/^-?(0|[1-9]\d{0,25})(\.\d{1,25})?([eE][+-]?\d{1,3})?$/),
  fc.tuple(ids, fc.integer({ min: 1, max: 9 })).map(([whole, tenth]) => `${whole}.${tenth}`),
  fc.constantFrom(
    '1e400',
    '-1e400',
    '1e-400',
    '1e999999999',
    '0e999999999',
    '-0',
    '-0.0e-5',
    '5e-324',
  ),
  fc
    .tuple(fc.integer({ min: 1, max: 5_000 }), fc.boolean())
    .map(([zeros, back]) => `1${'0'.repeat(zeros)}${back ? `e-${zeros}` : ''}`),
);

const valid: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  id: ids,
  name: unicode,
  tag: unicode,
};

export function validValues(field: string): fc.Arbitrary<unknown> {
  const values = valid[field];
  if (values === undefined)
    throw new Error(`add the field ${field} to test/create-plant/property/bodies.ts`);
  return values;
}

/** The JSON text of a value. In a string, either every character is escaped, or only those that must be. */
const written = (value: unknown): fc.Arbitrary<string> => {
  if (typeof value === 'string') return fc.constantFrom(JSON.stringify(value), inEscapes(value));
  return typeof value === 'bigint' ? spelledInteger(value) : fc.constant(JSON.stringify(value));
};

const wellFormed = unicode.chain(written);

/** A JSON string of random UTF-16 code units. Most such strings contain lone surrogates. */
const anyUnits = fc
  .array(fc.oneof(fc.nat(0xffff), fc.integer({ min: 0xd800, max: 0xdfff })), {
    minLength: 1,
    maxLength: 5,
  })
  .map((units) => inEscapes(String.fromCharCode(...units)));

const anyValue = fc.oneof(
  fc.jsonValue({ stringUnit: codePoint, maxDepth: 4 }).map((value) => JSON.stringify(value)),
  writtenNumber,
  anyUnits,
  fc.constantFrom('null', 'true', '{}', '[]', '"5"', '[5]', '""', '{"id":1}', '{"source":"5"}'),
);

const space = fc.constantFrom('', '', '', ' ', '\n', '\t', '\r\n');
const unknownName = fc.oneof(
  fc.constantFrom(
    '__proto__',
    'constructor',
    'prototype',
    'Id',
    'ID',
    'toString',
    'unknownField',
    '',
  ),
  fc.string({ unit: codePoint, maxLength: 8 }),
);

/** One field of an object, `"name": value`. */
const field = (name: string, value: fc.Arbitrary<string>) =>
  fc
    .tuple(value, space, space)
    .map(([text, before, after]) => `${before}"${name}"${after}:${before}${text}`);
const unknownField = fc
  .tuple(unknownName, anyValue)
  .map(([name, value]) => `${JSON.stringify(name)}:${value}`);

const object = (...fields: fc.Arbitrary<string | readonly string[]>[]) =>
  fc
    .tuple(...fields)
    .chain((written) => fc.shuffledSubarray(written.flat(), { minLength: written.flat().length }))
    .map((written) => `{${written.join(',')}}`);

const id = field('id', ids.chain(spelledInteger));
const unknown = fc.array(unknownField, { maxLength: 3 });
const fields = plantFields.map(({ name, required }) => ({
  ...{ name, required },
  valid: field(name, validValues(name).chain(written)),
}));

/** A valid NewPlant. Its fields are in any order, can contain escapes, and are mixed with unknown fields. */
export const newPlant = object(
  id,
  ...fields.map(({ required, valid }) => (required ? valid : fc.oneof(fc.constant([]), valid))),
  unknown,
);

/** An object with the fields of a NewPlant, but each field can be missing or repeated, and can have any value. */
const almostNewPlant = object(
  fc.array(fc.oneof(id, field('id', anyValue)), { maxLength: 2 }),
  ...fields.map(({ name, valid }) =>
    fc.array(fc.oneof(valid, field(name, wellFormed), field(name, anyValue)), { maxLength: 2 }),
  ),
  unknown,
);

/** A NewPlant with a few characters removed, inserted or replaced. */
const damaged = fc
  .tuple(newPlant, fc.nat(), fc.nat(3), fc.string({ unit: codePoint, maxLength: 2 }))
  .map(([text, at, cut, put]) => {
    const start = at % (text.length + 1);
    return text.slice(0, start) + put + text.slice(start + cut);
  });

/** Any body: mostly valid and almost valid NewPlants, but also any other JSON and any bytes. */
export const anyBody: fc.Arbitrary<Buffer> = fc.oneof(
  { weight: 4, arbitrary: newPlant.map(bytes) },
  { weight: 4, arbitrary: almostNewPlant.map(bytes) },
  { weight: 1, arbitrary: damaged.map(bytes) },
  { weight: 1, arbitrary: anyValue.map(bytes) },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 64 }).map((array) => Buffer.from(array)) },
);

function bytes(text: string): Buffer {
  return Buffer.from(text);
}

function inEscapes(text: string): string {
  const units = Array.from({ length: text.length }, (_, at) => text.charCodeAt(at));
  return `"${units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('')}"`;
}

/** `value` with its decimal point moved to the left by `shift` digits, and an exponent that compensates for this. */
function shifted(value: bigint, shift: number, zeros: number, e: string, plus: boolean): string {
  const sign = value < 0n ? '-' : '';
  const digits = String(value).replace('-', '');
  if (shift <= 0) {
    const mantissa = value === 0n ? '0' : `${digits}${'0'.repeat(-shift)}`;
    return `${sign}${mantissa}${e}${shift === 0 ? '-0' : shift}`;
  }
  const padded = digits.padStart(shift + 1, '0');
  const fraction = padded.slice(-shift) + '0'.repeat(zeros);
  return `${sign}${padded.slice(0, -shift)}.${fraction}${e}${plus ? '+' : ''}${shift}`;
}
