import { canonical } from '../../lambda/shared/canonical.ts';
import { BOUNDS, type BodySchema, type Subschema, typesOf } from './body-schema.ts';
import type { Json, JsonObject } from './contract.ts';

/** The keywords without schemas that the compiler gets as they are. */
const SAME = [
  ...['required', 'dependentRequired', 'minLength', 'maxLength', 'pattern', 'uniqueItems'],
  ...['minItems', 'maxItems', 'minContains', 'maxContains', 'minProperties', 'maxProperties'],
];

/**
 * The schema of events with a body, as `ContractAjv` compiles it: without annotations, and with keywords of its own for
 * what bigints, well-formed strings and formats need.
 *
 * @param exact the schemas that get bigints
 */
export function compilableSchema(body: BodySchema, exact: ReadonlySet<string>): JsonObject {
  const references = body.all.flatMap((schema) => [...body.under(schema, '$ref').values()]);
  const isShared = (schema: Subschema) =>
    body.isRecursive || references.filter((each) => each === schema).length > 1;
  const names = new Map<string, string>();
  const defs: Record<string, Json> = {};

  /** @param negated within `not` and `if` a string that cannot be stored must count as any other */
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
    const { rules, always, pointer } = schema;
    if (rules === undefined) return always ?? true;
    const compiled = exact.has(pointer) ? exactRules(rules) : plainRules(rules);
    const { format } = rules;
    if (format !== undefined && format !== 'int64') compiled.format = format;
    if (!negated && typesOf(rules).includes('string')) compiled.wellFormed = true;
    for (const [keyword, value] of Object.entries(rules)) {
      if (SAME.includes(keyword)) compiled[keyword] = value;
      if (keyword === '$ref' || keyword === '$defs') continue;
      const inner = negated || keyword === 'not' || keyword === 'if';
      const within = [...body.under(schema, keyword)].map(
        ([name, each]) => [name, compilable(each, inner)] as const,
      );
      const [first] = within;
      if (first === undefined) continue;
      if (first[0] === '') compiled[keyword] = first[1];
      else
        compiled[keyword] = Array.isArray(value)
          ? within.map(([, each]) => each)
          : Object.fromEntries(within);
    }
    const target = body.under(schema, '$ref').get('');
    if (target === undefined) return compiled;
    const referred = refer(target, negated);
    if (Object.keys(compiled).length === 0) return referred;
    return { ...compiled, allOf: [referred, ...(Array.isArray(compiled.allOf) ? compiled.allOf : [])] };
  }

  const schema = refer(body.root, false);
  return { $defs: defs, type: 'object', required: ['body'], properties: { body: schema } };
}

/** The values of enum and const in a canonical form, in which a bigint has its digits. */
function valuesOf({ enum: values, const: value }: JsonObject): Record<string, Json> {
  return {
    ...(Array.isArray(values) ? { oneOfValues: values.map(canonical) } : {}),
    ...(value === undefined ? {} : { onlyValue: canonical(value) }),
  };
}

function plainRules(rules: JsonObject): Record<string, Json> {
  const kept = Object.entries(rules).filter(([keyword]) => keyword === 'type' || BOUNDS.includes(keyword));
  return { ...Object.fromEntries(kept), ...valuesOf(rules) };
}

/** The rules about numbers, for a value that is a bigint if it is an exact int64. */
function exactRules(rules: JsonObject): Record<string, Json> {
  const types = typesOf(rules).map((type) =>
    type === 'integer' && rules.format === 'int64' ? 'int64' : type,
  );
  const bounds = BOUNDS.flatMap((bound) => {
    const value = rules[bound];
    return value === undefined ? [] : [[`exact_${bound}`, String(value)] as const];
  });
  return {
    ...(types.length > 0 ? { exactType: types } : {}),
    ...Object.fromEntries(bounds),
    ...valuesOf(rules),
    exact: true,
  };
}
