import fc from 'fast-check';

/** If the contract forbids this many values in a row, the generator does not know the contract's rules. */
const MAX_MISSES = 1_000;

const SPECIAL = ['', ' ', '\u0000', '\uffff', '\u{10ffff}', 'e\u0301', '\u00e9', '__proto__', 'null', '"\\/'];

/** Every code point except surrogates, rare ones as often as common ones. Lengths count code points. */
export function unicode(minLength = 0, maxLength = minLength + 30): fc.Arbitrary<string> {
  const special = SPECIAL.filter((text) => [...text].length >= minLength && [...text].length <= maxLength);
  return fc.oneof(
    fc.string({ unit: 'binary', minLength, maxLength }),
    fc.string({ unit: 'grapheme', minLength, maxLength }),
    ...(special.length > 0 ? [fc.constantFrom(...special)] : []),
  );
}

interface Rules {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly multipleOf?: number;
}

/**
 * Valid values of a field, by its rules in openapi.json.
 *
 * @throws Error if it does not know the type, or finds no valid value
 */
export function validValues(field: string, rules: Rules, isValid: (value: unknown) => boolean) {
  const advice = `teach test/property/values.ts the rules of ${field} in openapi.json`;
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
  const { minimum = -1_000, maximum = Math.max(minimum, 0) + 1_000, multipleOf = 1 } = rules;
  switch ([rules.type].flat()[0]) {
    case 'string':
      return stringsOf(rules);
    case 'boolean':
      return fc.boolean();
    case 'integer':
    case 'number':
      return fc
        .integer({ min: Math.ceil(minimum / multipleOf), max: Math.floor(maximum / multipleOf) })
        .map((factor) => factor * multipleOf);
    default:
      return undefined;
  }
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
    uri: fc.webUrl(),
  };
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern, 'u'));
  return formats[format] ?? unicode(minLength, Math.min(maxLength, minLength + 30));
}
