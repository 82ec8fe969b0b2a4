import { createTable } from './dynamodb/tables.ts';
import type { FunctionPool } from './functions/function-pool.ts';
import type { Plan } from './plan.ts';
import type { RestApi } from './rest-api/rest-api.ts';

/** The tables and functions of a stack, and the API that serves new requests: all of one version. */
export class RunningStack {
  readonly #dynamodbEndpoint: string;
  /** Those of versions before too: they may still have invocations. */
  readonly #pools = new Set<FunctionPool>();
  #current: Plan;

  constructor(plan: Plan, dynamodbEndpoint: string) {
    this.#current = plan;
    this.#dynamodbEndpoint = dynamodbEndpoint;
  }

  get api(): RestApi {
    return this.#current.api;
  }

  get pools(): Plan['pools'] {
    return this.#current.pools;
  }

  /**
   * A function that cannot be loaded fails its requests, as at AWS.
   * @throws EmulatorError if a table cannot be created, or a worker cannot start
   */
  async start(): Promise<void> {
    this.#startPools([...this.pools.values()]);
    await this.#createTables(this.#current);
  }

  /**
   * Requests that have begun are completed by the version that they began with.
   * @throws EmulatorError if the next version cannot run; then nothing is replaced
   */
  async replace(next: Plan): Promise<void> {
    const added = missingIn(this.pools, next.pools);
    const removed = missingIn(next.pools, this.pools);
    try {
      this.#startPools(added);
      await Promise.all(added.map((pool) => pool.assertLoads()));
      await this.#createTables(next);
    } catch (error) {
      await Promise.all(added.map((pool) => pool.stop()));
      throw error;
    }
    this.#current = next;
    for (const pool of removed) pool.retire();
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#pools].map((pool) => pool.stop()));
  }

  #startPools(pools: readonly FunctionPool[]): void {
    for (const pool of pools) {
      this.#pools.add(pool);
      pool.start(this.#dynamodbEndpoint);
    }
  }

  async #createTables({ tables }: Plan): Promise<void> {
    await Promise.all(tables.map((table) => createTable(table, this.#dynamodbEndpoint)));
  }
}

/** The pools of `others` that `pools` does not have. */
function missingIn(pools: Plan['pools'], others: Plan['pools']): readonly FunctionPool[] {
  return [...others].filter(([key]) => !pools.has(key)).map(([, pool]) => pool);
}
