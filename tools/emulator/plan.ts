import { resolve } from 'node:path';
import { isTable, parseTable, type TableDefinition } from './dynamodb/tables.ts';
import { EmulatorError } from './emulator-error.ts';
import type { FunctionDefinition } from './functions/definition.ts';
import { FunctionPool, type FunctionPoolOptions } from './functions/function-pool.ts';
import type { Invoke } from './functions/invocation.ts';
import { createRestApi, type RestApi } from './rest-api/rest-api.ts';
import { readAssembly } from './template/assembly.ts';
import { createResolver } from './template/intrinsics.ts';
import type { Resolver } from './template/resolver.ts';
import { assertSupported } from './template/resource-types.ts';

/** What the emulator runs. */
export interface Version {
  /** The folder of a synthesized CDK app with one stack. */
  readonly assembly: string;
  /** Folders to use in place of assets, by the path of the asset in the template. */
  readonly assets?: ReadonlyMap<string, string> | undefined;
}

/** What the template describes, parsed and resolved, with nothing started. */
export interface Plan {
  readonly resolver: Resolver;
  readonly tables: readonly TableDefinition[];
  /** By the definition of the function. */
  readonly pools: ReadonlyMap<string, FunctionPool>;
  readonly api: RestApi;
}

/** The place of the stack in ARNs: AWS's example account, in the region of the tools' examples. */
const location = { region: 'us-east-1', account: '123456789012' };

/**
 * @param running the pools of functions that may be the same
 * @throws EmulatorError, or a TypeError for `explain`, if the emulator cannot run the version
 */
export async function readPlan(
  { assembly, assets }: Version,
  options: FunctionPoolOptions,
  running: Plan['pools'],
): Promise<Plan> {
  const { template, stackName } = await readAssembly(assembly);
  const resolver = createResolver(template, { ...location, stackName });
  const resources = [...template.resources.values()];
  assertSupported(resources);
  const pools = new Map<string, FunctionPool>();
  const invokeOf = (definition: FunctionDefinition): Invoke => {
    const key = JSON.stringify(definition);
    const pool = pools.get(key) ?? running.get(key) ?? new FunctionPool(definition, options);
    pools.set(key, pool);
    return (event, traceId) => pool.invoke(event, traceId);
  };
  const assetFolder = (asset: string) => resolve(assembly, assets?.get(asset) ?? asset);
  const api = createRestApi({ resources, resolver, assetFolder, invokeOf });
  const tables = resources.filter(isTable).map((table) => parseTable(table, resolver));
  return { resolver, api, tables, pools };
}

/** A TypeError comes from a template of the wrong shape, which its author can fix. */
export function explain(error: unknown): unknown {
  if (!(error instanceof TypeError)) return error;
  return new EmulatorError(`The template cannot be used: ${error.message}; fix that in the CDK app`);
}
