import openapiTS, { astToString } from 'openapi-typescript';
import ts from 'typescript';

const BIGINT = ts.factory.createKeywordTypeNode(ts.SyntaxKind.BigIntKeyword);

/** The keywords whose values are schemas, or contain them. */
const SCHEMA = ['items', 'contains', 'propertyNames', 'not', 'if', 'then', 'else'];
const SCHEMAS = [
  'properties',
  'patternProperties',
  'dependentSchemas',
  '$defs',
  'allOf',
  'anyOf',
  'oneOf',
  'prefixItems',
];

/**
 * The schemas of the interface as TypeScript types; an int64 is a bigint.
 *
 * @param openapi the text of openapi.json
 */
export async function typesModule(openapi: string): Promise<string> {
  const types = await openapiTS(JSON.parse(openapi, withoutBooleanSchemas), {
    alphabetize: false,
    transform: ({ format }) => (format === 'int64' ? BIGINT : undefined),
  });
  return `// Generated from openapi.json by \`npm run generate\`; edits are lost.\n${astToString(types)}`;
}

/** The library knows schemas that are objects. */
function withoutBooleanSchemas(key: string, value: unknown): unknown {
  const asObject = (schema: unknown) => (schema === true ? {} : schema === false ? { not: {} } : schema);
  if (SCHEMA.includes(key)) return asObject(value);
  if (!SCHEMAS.includes(key) || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(asObject);
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, asObject(each)]));
}
