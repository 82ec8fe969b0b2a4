import openapiTS, { astToString } from 'openapi-typescript';
import ts from 'typescript';
import { KEYWORDS } from './body-schema.ts';

const BIGINT = ts.factory.createKeywordTypeNode(ts.SyntaxKind.BigIntKeyword);

/**
 * Returns the schemas of openapi.json as TypeScript types; an int64 is a bigint.
 *
 * @param openapi the text of openapi.json
 */
export async function typesModule(openapi: string): Promise<string> {
  const types = await openapiTS(JSON.parse(openapi, withoutBooleanSchemas), {
    alphabetize: false,
    // A field with a default may be missing, because the service does not insert the default.
    defaultNonNullable: false,
    transform: ({ format }) => (format === 'int64' ? BIGINT : undefined),
  });
  return `// Generated from openapi.json by \`npm run generate\`; edits are lost.\n${astToString(types)}`;
}

/** Replaces the schemas `true` and `false`, because openapi-typescript supports only schemas that are objects. */
function withoutBooleanSchemas(key: string, value: unknown): unknown {
  const asObject = (schema: unknown) => (schema === true ? {} : schema === false ? { not: {} } : schema);
  const kind = key === 'additionalProperties' ? 'value' : KEYWORDS[key];
  if (kind === 'schema') return asObject(value);
  if (kind !== 'schemas' || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(asObject);
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, asObject(each)]));
}
