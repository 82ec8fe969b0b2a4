import { isValidNewPlant, type Plant, plantFields, plantOf, samePlant } from '../plants.ts';

/**
 * The response that the API promises for a body, computed in the simplest way and without any code from lambda/.
 */
export type Promised =
  | { readonly status: 200; readonly id: bigint; readonly plant: Plant }
  | { readonly status: 400; readonly error: number };

/** @param plants all plants in the table, keyed by the decimal id */
export function promised(body: Buffer, plants: ReadonlyMap<string, Plant>): Promised {
  const fields = fieldsOf(body);
  if (fields === 'not JSON') return { status: 400, error: 1001 };
  if (fields === 'forbidden key') return { status: 400, error: 1002 };
  const id = fields.id instanceof WrittenNumber ? fields.id.asInt64() : undefined;
  const known = Object.fromEntries(
    plantFields.flatMap(({ name, format }) =>
      Object.hasOwn(fields, name) ? [[name, exactValue(fields[name], format)]] : [],
    ),
  );
  const valid = isValidNewPlant({ ...fields, ...known, id });
  if (id === undefined || !valid || Object.values(known).some(hasLoneSurrogate)) {
    return { status: 400, error: 1002 };
  }
  const plant = plantOf(known);
  const present = plants.get(String(id));
  if (present !== undefined && !samePlant(present, plant)) {
    return { status: 400, error: 1004 };
  }
  return { status: 200, id, plant };
}

/** Keeps a byte order mark, which JSON.parse rejects (RFC 8259 §8.1), and throws an error for invalid bytes. */
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function fieldsOf(body: Buffer): Readonly<Record<string, unknown>> | 'not JSON' | 'forbidden key' {
  let forbidden = false;
  try {
    const value: unknown = JSON.parse(
      utf8.decode(body),
      (key, read, { source } = { source: '' }) => {
        forbidden ||= key === '__proto__' || (key === 'constructor' && hasPrototype(read));
        return typeof read === 'number' ? new WrittenNumber(source) : read;
      },
    );
    if (forbidden) return 'forbidden key';
    return value instanceof Object && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value))
      : {};
  } catch {
    return 'not JSON';
  }
}

/** Middy's parser rejects a `constructor` that has a `prototype`, just as it rejects `__proto__`. */
function hasPrototype(value: unknown): boolean {
  return value instanceof Object && Object.hasOwn(value, 'prototype');
}

function hasLoneSurrogate(value: unknown): boolean {
  return typeof value === 'string' && /\p{Surrogate}/u.test(value);
}

/** Converts a WrittenNumber: in an int64 field, to a bigint (or NaN if that is impossible); elsewhere, to a number. */
function exactValue(value: unknown, format: string | undefined): unknown {
  if (!(value instanceof WrittenNumber)) return value;
  return format === 'int64' ? (value.asInt64() ?? Number.NaN) : Number(value.source);
}

/** A JSON number as it was written, because JSON.parse could round it. */
class WrittenNumber {
  readonly source: string;

  constructor(source: string) {
    this.source = source;
  }

  /** Mantissa × 10^exponent in exact arithmetic; undefined if the result is not a 64-bit integer. */
  asInt64(): bigint | undefined {
    const [decimal = '', power = '0'] = this.source.toLowerCase().split('e');
    const [whole = '', fraction = ''] = decimal.split('.');
    const mantissa = BigInt(whole.replace('-', '') + fraction) * (whole.startsWith('-') ? -1n : 1n);
    if (mantissa === 0n) return 0n;
    const exponent = Number(power) - fraction.length;
    const digits = whole.length + fraction.length;
    if (exponent > 20 || exponent < -digits) return undefined;
    const scale = 10n ** BigInt(Math.abs(exponent));
    if (exponent < 0 && mantissa % scale !== 0n) return undefined;
    const value = exponent < 0 ? mantissa / scale : mantissa * scale;
    return BigInt.asIntN(64, value) === value ? value : undefined;
  }
}
