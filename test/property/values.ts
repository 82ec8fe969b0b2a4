import fc from 'fast-check';
import { int64s } from './numbers.ts';

/** If this many generated values in a row are invalid, the generator does not know all of the contract's rules. */
const MAX_MISSES = 1_000;

const SPECIAL = ['', ' ', '\u0000', '\uffff', '\u{10ffff}', 'e\u0301', '\u00e9', '__proto__', 'null', '"\\/'];

/** A string of any code points, rare or common, except surrogates. The lengths are in code points. */
export function unicode(minLength = 0, maxLength = minLength + 30): fc.Arbitrary<string> {
  const special = SPECIAL.filter((text) => [...text].length >= minLength && [...text].length <= maxLength);
  return fc.oneof(
    fc.string({ unit: 'binary', minLength, maxLength }),
    fc.string({ unit: 'grapheme', minLength, maxLength }),
    ...(special.length > 0 ? [fc.constantFrom(...special)] : []),
  );
}

export interface Rules {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly format?: string;
  readonly minimum?: number | bigint;
  readonly maximum?: number | bigint;
  readonly exclusiveMinimum?: number | bigint;
  readonly exclusiveMaximum?: number | bigint;
  readonly multipleOf?: number | bigint;
}

/**
 * Generates valid values of a field, according to its rules in openapi.json.
 *
 * @throws Error if there is no generator for the type, or if no valid value is found
 */
export function validValues(field: string, rules: Rules, isValid: (value: unknown) => boolean) {
  const advice = `make test/property/values.ts support the rules for ${field} in openapi.json`;
  const values = valuesOf(rules);
  if (values === undefined) throw new Error(`no generator for the type ${rules.type}; ${advice}`);
  let misses = 0;
  return values.filter((value) => {
    const valid = isValid(value);
    misses = valid ? 0 : misses + 1;
    if (misses > MAX_MISSES) throw new Error(`found no valid value; ${advice}`);
    return valid;
  });
}

function valuesOf(rules: Rules): fc.Arbitrary<unknown> | undefined {
  if (rules.const !== undefined) return fc.constant(rules.const);
  if (rules.enum !== undefined) return fc.constantFrom(...rules.enum);
  switch ([rules.type].flat()[0]) {
    case 'string':
      return stringsOf(rules);
    case 'boolean':
      return fc.boolean();
    case 'integer':
    case 'number':
      return rules.format === 'int64' ? int64sOf(rules) : numbersOf(rules);
    default:
      return undefined;
  }
}

function numbersOf(rules: Rules) {
  const [minimum, multipleOf] = [Number(rules.minimum ?? -1_000), Number(rules.multipleOf ?? 1)];
  const maximum = Number(rules.maximum ?? Math.max(minimum, 0) + 1_000);
  return fc
    .integer({ min: Math.ceil(minimum / multipleOf), max: Math.floor(maximum / multipleOf) })
    .map((factor) => factor * multipleOf);
}

/** Numbers, or bigints if a number cannot represent the value exactly. */
function int64sOf({ exclusiveMinimum, exclusiveMaximum, multipleOf = 1, ...rules }: Rules) {
  const { minimum = exclusiveMinimum, maximum = exclusiveMaximum } = rules;
  return int64s(minimum, maximum)
    .map((value) => value - (value % BigInt(multipleOf)))
    .map((value) => (Number.isSafeInteger(Number(value)) ? Number(value) : value));
}

function stringsOf({ pattern, format = '', minLength = 0, maxLength = Number.POSITIVE_INFINITY }: Rules) {
  const dates = fc
    .date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
    .map((date) => date.toISOString());
  const formats: Readonly<Record<string, fc.Arbitrary<string>>> = {
    date: dates.map((text) => text.slice(0, 10)),
    'date-time': dates,
    uuid: fc.uuid(),
    email: fc.emailAddress(),
  };
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern, 'u'));
  return formats[format] ?? unicode(minLength, Math.min(maxLength, minLength + 30));
}
