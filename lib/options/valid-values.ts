import { UserError } from '../user-error.ts';

export interface ValidValues<Value> {
  /** The valid values, as messages describe them. */
  readonly expected: string;
  /** Returns undefined if the value is invalid. */
  parse(value: unknown): Value | undefined;
}

/** @throws UserError if the value is not valid for the option */
export function parseOption<Value>(name: string, valid: ValidValues<Value>, value: unknown): Value {
  const parsed = valid.parse(value);
  if (parsed !== undefined) return parsed;
  throw new UserError(`${name} must be ${valid.expected}, got ${JSON.stringify(value)}`);
}

export function oneOf<const Value extends string>(...values: readonly Value[]): ValidValues<Value> {
  return { expected: values.join(' or '), parse: (value) => values.find((each) => each === value) };
}

export function matching(pattern: RegExp, expected: string): ValidValues<string> {
  return {
    expected,
    parse: (value) => (typeof value === 'string' && pattern.test(value) ? value : undefined),
  };
}

export function wholeNumber(min: number, max: number): ValidValues<number> {
  return {
    expected: `a whole number from ${min} to ${max}`,
    parse: (value) => {
      const number = /^(0|[1-9]\d*)$/.test(String(value)) ? Number(value) : Number.NaN;
      return number >= min && number <= max ? number : undefined;
    },
  };
}

/** OpenID Connect Core 1.0 §2, `iss`. */
export const issuer: ValidValues<string> = {
  expected: 'an https URL without a query or fragment',
  parse: (value) => {
    if (typeof value !== 'string' || !URL.canParse(value) || /[?#\s]/.test(value)) return undefined;
    const { protocol, username, password } = new URL(value);
    return protocol === 'https:' && `${username}${password}` === '' ? value : undefined;
  },
};

const TAG = /^(?!aws:)[\w .:/+@-]{1,128}=[\w .:/+@-]{0,256}$/;

/** @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-properties-resource-tags.html */
export const tagPairs: ValidValues<Readonly<Record<string, string>>> = {
  expected: 'KEY=VALUE, or several such pairs with different keys, separated by commas',
  parse: (value) => {
    if (typeof value !== 'string') return undefined;
    const pairs = value.split(',');
    if (!pairs.every((pair) => TAG.test(pair))) return undefined;
    const tags = Object.fromEntries(pairs.map((pair) => pair.split('=')));
    return Object.keys(tags).length === pairs.length ? tags : undefined;
  },
};
