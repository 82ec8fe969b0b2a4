import { createTable } from './dynamodb/tables.ts';
import { resumeThreads } from './functions/debugger.ts';
import type { FunctionPool } from './functions/function-pool.ts';
import type { Plan } from './plan.ts';
import type { RestApi } from './rest-api/rest-api.ts';
import { messageOf } from './user-error.ts';

/** The tables and functions of a stack, and the API that serves new requests. */
export class RunningStack {
  /** Includes pools of earlier versions, in which invocations may still be running. */
  readonly #pools = new Set<FunctionPool>();
  readonly #first = Promise.withResolvers<RestApi>();
  #current: Plan | undefined;

  /** Returns the API of the current version. Waits until the first version has been loaded. */
  async api(): Promise<RestApi> {
    return this.#current?.api ?? this.#first.promise;
  }

  get pools(): Plan['pools'] {
    return this.#current?.pools ?? new Map();
  }

  /**
   * Replaces the running version. Each request is completed by the version that it began with. In the first version,
   * requests to a function that cannot be loaded fail, as in AWS.
   * @returns the reasons why functions of the first version cannot be loaded; an empty array for later versions
   * @throws UserError if the next version cannot run; in that case, nothing is replaced
   */
  async replace(next: Plan, dynamodbEndpoint: string): Promise<readonly string[]> {
    const added = missingIn(this.pools, next.pools);
    const removed = missingIn(next.pools, this.pools);
    try {
      for (const pool of added) {
        this.#pools.add(pool);
        pool.start(dynamodbEndpoint);
      }
      const loading = Promise.allSettled(added.map((pool) => pool.assertLoads()));
      await Promise.all(next.tables.map((table) => createTable(table, dynamodbEndpoint)));
      const failures = (await loading).flatMap((load) => (load.status === 'rejected' ? [load.reason] : []));
      if (this.#current !== undefined && failures.length > 0) throw failures[0];
      this.#current = next;
      this.#first.resolve(next.api);
      for (const pool of removed) pool.retire();
      return failures.map(messageOf);
    } catch (error) {
      await Promise.all(added.map((pool) => pool.stop()));
      throw error;
    }
  }

  async stop(): Promise<void> {
    const stopped = [...this.#pools].map((pool) => pool.stop());
    resumeThreads();
    await Promise.all(stopped);
  }
}

/** Returns the pools in `others` that `pools` does not have. */
function missingIn(pools: Plan['pools'], others: Plan['pools']): readonly FunctionPool[] {
  return [...others].filter(([key]) => !pools.has(key)).map(([, pool]) => pool);
}
