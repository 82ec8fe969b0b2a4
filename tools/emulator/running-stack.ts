import { resolve } from 'node:path';
import { createTable } from './dynamodb/tables.ts';
import { resumeThreads } from './functions/debugger.ts';
import type { FunctionDefinition } from './functions/definition.ts';
import { FunctionPool } from './functions/function-pool.ts';
import type { Log } from './functions/function-worker.ts';
import { createPlan, type Plan } from './plan.ts';
import type { RestApi } from './rest-api/rest-api.ts';
import { readAssembly } from './template/assembly.ts';
import { messageOf } from './user-error.ts';

export interface Version {
  /** The folder of a synthesized CDK app with one stack. */
  readonly assembly: string;
  /** Folders to use instead of assets, by the path of the asset in the template. */
  readonly assets?: ReadonlyMap<string, string> | undefined;
}

export interface RunningVersion extends Pick<Plan, 'outputs' | 'leftOut'> {
  /** The names of the template's tables, which are their logical ids. */
  readonly tableNames: readonly string[];
  /** The reasons why functions of the first version cannot be loaded. For later versions, `run()` throws instead. */
  readonly failures: readonly string[];
}

/** The functions of a stack, and the API that serves new requests. */
export class RunningStack {
  readonly #dynamodbEndpoint: string;
  readonly #log: Log;
  /** Includes pools of earlier versions, in which invocations may still be running. */
  readonly #started = new Set<FunctionPool>();
  /** The pools of the current version, by the function's definition in JSON. */
  #pools: ReadonlyMap<string, FunctionPool> = new Map();
  readonly #first = Promise.withResolvers<RestApi>();
  #api: RestApi | undefined;
  #held: Promise<unknown> = Promise.resolve();

  constructor(dynamodbEndpoint: string, log: Log) {
    this.#dynamodbEndpoint = dynamodbEndpoint;
    this.#log = log;
  }

  /** Returns the API for a new request. Waits until the first version has been loaded. */
  async api(): Promise<RestApi> {
    await this.#held;
    return this.#api ?? this.#first.promise;
  }

  /** Until `reloaded` settles, holds newly arriving requests, so that the new version handles them. */
  holdRequests(reloaded: Promise<unknown>): void {
    this.#held = reloaded.catch(() => {});
  }

  /**
   * Runs a version of the app; wait for the previous `run()` to settle first. Requests wait for the first version. Each
   * later version replaces the API and the changed functions once they are loaded; each request is completed by the
   * version that it began with. In the first version, requests to a function that cannot be loaded fail, as in AWS.
   * @throws UserError if the version cannot run, or TypeError if its template is malformed; in both cases, the
   *   previous version keeps running
   */
  async run({ assembly, assets }: Version): Promise<RunningVersion> {
    const dynamodbEndpoint = this.#dynamodbEndpoint;
    const pools = new Map<string, FunctionPool>();
    const invokeOf = (definition: FunctionDefinition) => {
      const key = JSON.stringify(definition);
      const pool =
        pools.get(key) ?? this.#pools.get(key) ?? new FunctionPool(definition, dynamodbEndpoint, this.#log);
      pools.set(key, pool);
      return pool.invoke.bind(pool);
    };
    const assetFolder = (asset: string) => resolve(assembly, assets?.get(asset) ?? asset);
    const { api, tables, outputs, leftOut } = createPlan(await readAssembly(assembly), assetFolder, invokeOf);
    const added = [...pools.values()].filter((pool) => !this.#started.has(pool));
    try {
      for (const pool of added) this.#started.add(pool);
      const loading = Promise.allSettled(added.map((pool) => pool.start()));
      await Promise.all(tables.map((table) => createTable(table, dynamodbEndpoint)));
      const failures = (await loading).flatMap((load) => (load.status === 'rejected' ? [load.reason] : []));
      if (this.#api !== undefined && failures.length > 0) throw failures[0];
      for (const [key, pool] of this.#pools) if (!pools.has(key)) pool.retire();
      this.#pools = pools;
      this.#api = api;
      this.#first.resolve(api);
      const tableNames = tables.map(({ TableName }) => TableName);
      return { outputs, leftOut, tableNames, failures: failures.map(messageOf) };
    } catch (error) {
      await Promise.all(added.map((pool) => pool.stop()));
      throw error;
    }
  }

  async stop(): Promise<void> {
    const stopped = [...this.#started].map((pool) => pool.stop());
    resumeThreads();
    await Promise.all(stopped);
  }
}
