import openapiTS, { astToString } from 'openapi-typescript';
import ts from 'typescript';

const BIGINT = ts.factory.createKeywordTypeNode(ts.SyntaxKind.BigIntKeyword);
const NULL = ts.factory.createLiteralTypeNode(ts.factory.createNull());

/** Returns the schemas in the text of openapi.json as TypeScript types; an int64 is a bigint. */
export async function typesModule(openapi: string): Promise<string> {
  const types = await openapiTS(JSON.parse(openapi), {
    alphabetize: false,
    // A field with a default may be missing, because the service does not insert the default.
    defaultNonNullable: false,
    transform: (schema) => {
      if (schema.format !== 'int64') return undefined;
      const isNullable = 'type' in schema && [schema.type].flat().includes('null');
      return isNullable ? ts.factory.createUnionTypeNode([BIGINT, NULL]) : BIGINT;
    },
  });
  return astToString(types);
}
