import { resolve } from 'node:path';
import { parseTable, type TableDefinition } from './dynamodb/tables.ts';
import { functionOfUri } from './functions/definition.ts';
import { FunctionPool } from './functions/function-pool.ts';
import type { Log } from './functions/function-worker.ts';
import type { Invoke } from './functions/invocation.ts';
import { createRestApi, type RestApi } from './rest-api/rest-api.ts';
import { readAssembly, type Stack } from './template/assembly.ts';
import { createResolver, resolveOutputs } from './template/intrinsics.ts';

/** A version of the app. */
export interface Version {
  /** The folder of a synthesized CDK app with one stack. */
  readonly assembly: string;
  /** Folders to use instead of assets, by the path of the asset in the template. */
  readonly assets?: ReadonlyMap<string, string> | undefined;
}

/** The resolved parts of a template that the emulator runs. */
export interface Plan {
  readonly tables: readonly TableDefinition[];
  /** The functions that requests invoke, each with its workers. The key is the function's definition in JSON. */
  readonly pools: ReadonlyMap<string, FunctionPool>;
  readonly api: RestApi;
  /** The template's Outputs by name. */
  readonly outputs: Readonly<Record<string, string>>;
  /** The types of the resources that the emulator leaves out, by logical id. */
  readonly leftOut: ReadonlyMap<string, string>;
}

/** The account in ARNs is the one that AWS uses in examples. */
const location = { region: 'us-east-1', account: '123456789012' };

/** @throws UserError if the emulator cannot run the version, or TypeError if its template is malformed */
export async function readPlan(
  { assembly, assets }: Version,
  log: Log,
  running: Plan['pools'],
): Promise<Plan> {
  const assetFolder = (asset: string) => resolve(assembly, assets?.get(asset) ?? asset);
  return createPlan(await readAssembly(assembly), assetFolder, log, running);
}

/**
 * Resolves a template, but does not start anything.
 * @param assetFolder returns the folder of an asset, by its path in the template
 * @param running the pools of the current version, which are reused for functions that have not changed
 */
export function createPlan(
  { template, stackName }: Stack,
  assetFolder: (asset: string) => string,
  log: Log = () => {},
  running: Plan['pools'] = new Map(),
): Plan {
  const resolver = createResolver(template, { ...location, stackName });
  const pools = new Map<string, FunctionPool>();
  const invokeOf = (uri: string, path: string): Invoke => {
    const definition = functionOfUri(uri, path, resolver, assetFolder);
    const key = JSON.stringify(definition);
    const pool = pools.get(key) ?? running.get(key) ?? new FunctionPool(definition, log);
    pools.set(key, pool);
    return (event, traceId) => pool.invoke(event, traceId);
  };
  const api = createRestApi(resolver, invokeOf);
  const tables = template.resources
    .filter(({ type }) => /^AWS::DynamoDB::(Global)?Table$/.test(type))
    .map((table) => parseTable(resolver.properties(table)));
  return { api, tables, pools, outputs: resolveOutputs(resolver), leftOut: template.leftOut };
}
