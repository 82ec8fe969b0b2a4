import { canonical } from '../../lambda/shared/canonical.ts';
import { BOUNDS, type BodySchema, KEYWORDS, type Subschema, typesOf, under } from './body-schema.ts';
import type { Json, JsonObject } from './contract.ts';

/** The keywords that `ContractAjv` gets unchanged. */
const SAME = [
  ...['required', 'dependentRequired', 'minLength', 'maxLength', 'pattern', 'uniqueItems'],
  ...['minItems', 'maxItems', 'minContains', 'maxContains', 'minProperties', 'maxProperties'],
];

/**
 * Returns a schema for events with this body, in the form that `ContractAjv` compiles: without annotations, and with
 * custom keywords for bigints, well-formed strings and formats.
 */
export function compilableSchema(body: BodySchema): JsonObject {
  const references = body.all.flatMap((schema) => under(schema, '$ref'));
  const isShared = (schema: Subschema) =>
    body.isRecursive || references.filter((each) => each === schema).length > 1;
  const names = new Map<string, string>();
  const defs: Record<string, Json> = {};

  /**
   * @param negated whether the schema is within `not` or `if`, where a string that cannot be stored is treated like any
   *   other string
   */
  function refer(schema: Subschema, negated: boolean): Json {
    if (!isShared(schema)) return compilable(schema, negated);
    const key = `${schema.pointer} ${negated}`;
    const known = names.get(key);
    const name = known ?? `s${names.size}`;
    names.set(key, name);
    if (known === undefined) defs[name] = compilable(schema, negated);
    return { $ref: `#/$defs/${name}` };
  }

  function compilable(schema: Subschema, negated: boolean): Json {
    const { rules, always } = schema;
    if (always !== undefined) return always;
    const compiled = compiledRules(rules, negated);
    for (const [keyword, value] of Object.entries(rules)) {
      if (SAME.includes(keyword)) compiled[keyword] = value;
      if (keyword === '$ref' || keyword === '$defs') continue;
      const inner = negated || keyword === 'not' || keyword === 'if';
      const within = [...(schema.within.get(keyword) ?? [])].map(
        ([name, each]) => [name, compilable(each, inner)] as const,
      );
      const [first] = within;
      if (first === undefined) continue;
      if (KEYWORDS[keyword] === 'schema') compiled[keyword] = first[1];
      else if (Array.isArray(value)) compiled[keyword] = within.map(([, each]) => each);
      else compiled[keyword] = Object.fromEntries(within);
    }
    const [target] = under(schema, '$ref');
    if (target === undefined) return compiled;
    const referred = refer(target, negated);
    if (Object.keys(compiled).length === 0) return referred;
    return { ...compiled, allOf: [referred, ...(Array.isArray(compiled.allOf) ? compiled.allOf : [])] };
  }

  const schema = refer(body.all[0], false);
  return { $defs: defs, type: 'object', required: ['body'], properties: { body: schema } };
}

/** Returns the rules for types, formats, fixed values and number limits, with custom keywords that support bigints. */
function compiledRules(rules: JsonObject, negated: boolean): Record<string, Json> {
  const { type, format, enum: values, const: value } = rules;
  const types = typesOf(rules);
  const compiled: Record<string, Json> = {};
  if (types.includes('integer') || types.includes('number')) {
    compiled.numericType = types.map((each) => (each === 'integer' && format === 'int64' ? format : each));
  } else if (type !== undefined) compiled.type = type;
  for (const bound of BOUNDS)
    if (rules[bound] !== undefined) compiled[`exact_${bound}`] = String(rules[bound]);
  // In the canonical form, a bigint keeps all its digits.
  if (Array.isArray(values)) compiled.oneOfValues = values.map(canonical);
  if (value !== undefined) compiled.onlyValue = canonical(value);
  if (format !== undefined && format !== 'int64') compiled.format = format;
  if (!negated && types.includes('string')) compiled.wellFormed = true;
  return compiled;
}
