import { resolve } from 'node:path';
import { isTable, parseTable, type TableDefinition } from './dynamodb/tables.ts';
import type { FunctionDefinition } from './functions/definition.ts';
import { FunctionPool } from './functions/function-pool.ts';
import type { Log } from './functions/function-worker.ts';
import type { Invoke } from './functions/invocation.ts';
import { createRestApi, type RestApi } from './rest-api/rest-api.ts';
import { readAssembly } from './template/assembly.ts';
import { createResolver, resolveOutputs } from './template/intrinsics.ts';
import { assertSupported } from './template/resource-types.ts';

/** What the emulator runs. */
export interface Version {
  /** The folder of a synthesized CDK app with one stack. */
  readonly assembly: string;
  /** Folders to use in place of assets, by the path of the asset in the template. */
  readonly assets?: ReadonlyMap<string, string> | undefined;
}

/** What runs of a template. */
export interface Plan {
  readonly tables: readonly TableDefinition[];
  /** By the definition of the function. */
  readonly pools: ReadonlyMap<string, FunctionPool>;
  readonly api: RestApi;
  /** The template's Outputs by name. */
  readonly outputs: Readonly<Record<string, string>>;
  /** The resources that the emulator leaves out, by logical id, with the type of each. */
  readonly leftOut: ReadonlyMap<string, string>;
}

/** The place of the stack in ARNs: AWS's example account, in the region of the tools' examples. */
const location = { region: 'us-east-1', account: '123456789012' };

/**
 * Parses and resolves a template; starts nothing.
 * @param running the pools of functions that may be the same
 * @throws EmulatorError if the emulator cannot run the version, a TypeError if its template has a wrong shape
 */
export async function readPlan(
  { assembly, assets }: Version,
  log: Log,
  running: Plan['pools'],
): Promise<Plan> {
  const { template, stackName } = await readAssembly(assembly);
  const resolver = createResolver(template, { ...location, stackName });
  const resources = [...template.resources.values()];
  assertSupported(resources);
  const pools = new Map<string, FunctionPool>();
  const invokeOf = (definition: FunctionDefinition): Invoke => {
    const key = JSON.stringify(definition);
    const pool = pools.get(key) ?? running.get(key) ?? new FunctionPool(definition, log);
    pools.set(key, pool);
    return (event, traceId) => pool.invoke(event, traceId);
  };
  const assetFolder = (asset: string) => resolve(assembly, assets?.get(asset) ?? asset);
  const api = createRestApi({ resources, resolver, assetFolder, invokeOf });
  const tables = resources.filter(isTable).map((table) => parseTable(table, resolver));
  return { api, tables, pools, outputs: resolveOutputs(resolver), leftOut: template.leftOut };
}
