import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript';
import ts from 'typescript';

const BIGINT = ts.factory.createKeywordTypeNode(ts.SyntaxKind.BigIntKeyword);

/** The schemas of the interface as TypeScript types; an int64 is a bigint. */
export async function typesModule(openapi: OpenAPI3): Promise<string> {
  const types = await openapiTS(openapi, {
    alphabetize: false,
    transform: ({ format }) => (format === 'int64' ? BIGINT : undefined),
  });
  return `// Generated from openapi.json by \`npm run generate\`; edits are lost.\n${astToString(types)}`;
}
