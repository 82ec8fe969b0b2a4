import { resolve } from 'node:path';
import { resumeThreads } from './debugger.ts';
import { createTable, parseTable } from './dynamodb/tables.ts';
import { reasonOf, UserError } from './errors.ts';
import { type FunctionDefinition, functionOfUri } from './functions/definition.ts';
import { FunctionPool } from './functions/function-pool.ts';
import type { Invoke, Log } from './functions/invocation.ts';
import { parseRestApi, type RestApi } from './rest-api/rest-api.ts';
import { Resolver, resolveOutputs } from './template/intrinsics.ts';
import { readTemplate, type Template } from './template/template.ts';

export interface Version {
  /** The folder of a synthesized CDK app with one stack. */
  readonly assembly: string;
  /** Folders to use instead of assets, by the path of the asset in the template. */
  readonly assets?: ReadonlyMap<string, string> | undefined;
}

export interface RunningVersion {
  readonly outputs: Readonly<Record<string, string>>;
  /** The types of the resources that the emulator leaves out, by logical id. */
  readonly leftOut: ReadonlyMap<string, string>;
  /** The reasons why functions of the first version cannot be loaded. For later versions, `run()` throws instead. */
  readonly failures: readonly string[];
}

/**
 * Parses the parts of a template that the emulator runs, but does not start anything.
 * @param assetFolder returns the folder of an asset, by its path in the template
 * @param invoker returns the `Invoke` of each function invoked by requests
 * @throws UserError if the emulator cannot run the template
 */
export function parseStack(
  template: Template,
  assetFolder: (asset: string) => string,
  invoker: (definition: FunctionDefinition) => Invoke,
) {
  const resolver = new Resolver(template);
  return {
    api: parseRestApi(resolver, (uri, from) =>
      invoker(functionOfUri(uri, from, resolver, assetFolder)),
    ),
    tables: resolver
      .allOfType('AWS::DynamoDB::Table', 'AWS::DynamoDB::GlobalTable')
      .map(parseTable),
    outputs: resolveOutputs(resolver),
  };
}

/** The functions of a stack, and the API that serves new requests. */
export class RunningStack {
  readonly #log: Log;
  /** Includes pools of earlier versions, in which invocations may still be running. */
  readonly #started = new Set<FunctionPool>();
  /** The pools of the current version, by the function's definition in JSON. */
  #pools: ReadonlyMap<string, FunctionPool> = new Map();
  readonly #first = Promise.withResolvers<RestApi>();
  #api: RestApi | undefined;
  #held: Promise<unknown> = Promise.resolve();

  constructor(log: Log) {
    this.#log = log;
  }

  /** Returns the API for a new request. Waits until the first version has been loaded. */
  async api(): Promise<RestApi> {
    await this.#held;
    return this.#api ?? this.#first.promise;
  }

  /** Until `released` settles, holds newly arriving requests. */
  holdRequests(released: Promise<unknown>): void {
    this.#held = released.catch(() => {});
  }

  async run({ assembly, assets }: Version, dynamodbEndpoint: string): Promise<RunningVersion> {
    const template = await readTemplate(assembly);
    const assetFolder = (asset: string) => resolve(assembly, assets?.get(asset) ?? asset);
    const pools = new Map<string, FunctionPool>();
    const { api, tables, outputs } = parseStack(template, assetFolder, (definition) => {
      const key = JSON.stringify(definition);
      const pool =
        pools.get(key) ??
        this.#pools.get(key) ??
        new FunctionPool(definition, dynamodbEndpoint, this.#log);
      pools.set(key, pool);
      return pool.invoke.bind(pool);
    });
    const added = [...pools.values()].filter((pool) => !this.#started.has(pool));
    try {
      for (const pool of added) this.#started.add(pool);
      const loading = Promise.allSettled(added.map((pool) => pool.start()));
      await Promise.all(tables.map((table) => createTable(table, dynamodbEndpoint)));
      const failures = (await loading).flatMap((load) =>
        load.status === 'rejected' ? [load.reason] : [],
      );
      // In the first version, a function that cannot be loaded does not stop the others; a bug does.
      const fatal = failures.find(
        (failure) => this.#api !== undefined || !(failure instanceof UserError),
      );
      if (fatal !== undefined) throw fatal;
      for (const [key, pool] of this.#pools) if (!pools.has(key)) pool.retire();
      this.#pools = pools;
      this.#api = api;
      this.#first.resolve(api);
      return { outputs, leftOut: template.leftOut, failures: failures.map(reasonOf) };
    } catch (error) {
      await Promise.all(added.map((pool) => pool.stop()));
      throw error;
    }
  }

  async stop(): Promise<void> {
    resumeThreads();
    await Promise.all([...this.#started].map((pool) => pool.stop()));
  }
}
