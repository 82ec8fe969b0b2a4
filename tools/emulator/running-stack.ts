import { createTable } from './dynamodb/tables.ts';
import type { FunctionPool } from './functions/function-pool.ts';
import type { Plan } from './plan.ts';
import type { RestApi } from './rest-api/rest-api.ts';

/** The tables and functions of a stack, and the API that serves new requests: all of one version. */
export class RunningStack {
  /** Includes those of earlier versions, which may still have invocations. */
  readonly #pools = new Set<FunctionPool>();
  readonly #first = Promise.withResolvers<RestApi>();
  #current: Plan | undefined;

  /** The API of the current version; waits for the first one. */
  async api(): Promise<RestApi> {
    return this.#current?.api ?? this.#first.promise;
  }

  get pools(): Plan['pools'] {
    return this.#current?.pools ?? new Map();
  }

  /**
   * Requests that have begun are completed by the version that they began with. In the first version, a function that
   * cannot be loaded fails its requests, as on AWS.
   * @throws EmulatorError if the next version cannot run; then nothing is replaced
   */
  async replace(next: Plan, dynamodbEndpoint: string): Promise<void> {
    const added = missingIn(this.pools, next.pools);
    const removed = missingIn(next.pools, this.pools);
    try {
      for (const pool of added) {
        this.#pools.add(pool);
        pool.start(dynamodbEndpoint);
      }
      if (this.#current !== undefined) await Promise.all(added.map((pool) => pool.assertLoads()));
      await Promise.all(next.tables.map((table) => createTable(table, dynamodbEndpoint)));
    } catch (error) {
      await Promise.all(added.map((pool) => pool.stop()));
      throw error;
    }
    this.#current = next;
    this.#first.resolve(next.api);
    for (const pool of removed) pool.retire();
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#pools].map((pool) => pool.stop()));
  }
}

/** The pools of `others` that `pools` does not have. */
function missingIn(pools: Plan['pools'], others: Plan['pools']): readonly FunctionPool[] {
  return [...others].filter(([key]) => !pools.has(key)).map(([, pool]) => pool);
}
