import { _, type Code, type KeywordCxt } from 'ajv/dist/2020.js';
import { _Code } from 'ajv/dist/compile/codegen/code.js';
import { or } from 'ajv/dist/compile/codegen/index.js';
import { fullFormats } from 'ajv-formats/dist/formats.js';
import { imported } from './validator-imports.ts';

/** RFC 3339's full-date, with leap years. Importing ajv-formats instead would add 8 KB to a bundle. */
const DATE =
  /^(?:\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|02-(?:0[1-9]|1\d|2[0-8]))|(?:\d\d(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)-02-29)$/;

/**
 * RFC 3339's date-time. A leap second must be the last second of a day in UTC; if the offset is not 0, the leap
 * second's hour and minute are not checked.
 */
const DATE_TIME = new RegExp(
  [
    DATE.source.slice(0, -1),
    /T(?:(?:[01]\d|2[0-3]):[0-5]\d:(?:[0-5]\d|60(?=[.\d]*[+-](?!00:00)))|23:59:60)/.source,
    /(?:\.\d+)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/.source,
  ].join(''),
  'i',
);

/** The format in ajv-formats also accepts `urn:uuid:` before the UUID. */
const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

const FORMATS = new Map(Object.entries({ ...fullFormats, date: DATE, 'date-time': DATE_TIME, uuid: UUID }));

/** Returns a condition that is true if a string or number does not have the format that the schema requires. */
export function failsFormat({ gen, data, schema }: KeywordCxt): Code {
  if (schema === 'int32') {
    const fails = _`typeof ${data} === "number" && ${data} !== (${data} | 0)`;
    return or(_`typeof ${data} === "bigint" && BigInt.asIntN(32, ${data}) !== ${data}`, fails);
  }
  const format = FORMATS.get(schema);
  const test =
    format instanceof RegExp
      ? _`${gen.scopeValue('formats', { ref: format, code: new _Code(String(format)) })}.test`
      : _`${imported(gen, 'fullFormats')}[${schema}]`;
  return _`typeof ${data} === "string" && !${test}(${data})`;
}
