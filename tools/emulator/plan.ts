import { parseTable, type TableDefinition } from './dynamodb/tables.ts';
import { type FunctionDefinition, functionOfUri } from './functions/definition.ts';
import type { Invoke } from './functions/invocation.ts';
import { createRestApi, type RestApi } from './rest-api/rest-api.ts';
import { Resolver, resolveOutputs } from './template/intrinsics.ts';
import type { Template } from './template/template.ts';

/** The resolved parts of a template that the emulator runs. */
export interface Plan {
  readonly tables: readonly TableDefinition[];
  readonly api: RestApi;
  /** The template's Outputs by name. */
  readonly outputs: Readonly<Record<string, string>>;
  /** The types of the resources that the emulator leaves out, by logical id. */
  readonly leftOut: ReadonlyMap<string, string>;
}

/**
 * Resolves a template, but does not start anything.
 * @param assetFolder returns the folder of an asset, by its path in the template
 * @param invokeOf returns the `Invoke` of each function that requests invoke
 * @throws UserError if the emulator cannot run the template, or TypeError if the template is malformed
 */
export function createPlan(
  template: Template,
  assetFolder: (asset: string) => string,
  invokeOf: (definition: FunctionDefinition) => Invoke,
): Plan {
  const resolver = new Resolver(template);
  const api = createRestApi(resolver, (uri, path) =>
    invokeOf(functionOfUri(uri, path, resolver, assetFolder)),
  );
  const tables = ['AWS::DynamoDB::Table', 'AWS::DynamoDB::GlobalTable']
    .flatMap((type) => resolver.propertiesOf(type))
    .map(parseTable);
  return { api, tables, outputs: resolveOutputs(resolver), leftOut: template.leftOut };
}
