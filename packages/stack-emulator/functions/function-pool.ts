import { UserError } from '../errors.ts';
import type { FunctionDefinition } from './definition.ts';
import { FunctionWorker } from './function-worker.ts';
import { FunctionError, type Log } from './invocation.ts';

/**
 * Limits the memory that a burst of requests uses; further invocations are queued. A thread that is blocked in native
 * code counts toward this limit until it ends.
 */
const MAX_WORKERS = 10;

/** Runs a function in as many worker threads as its load requires. */
export class FunctionPool {
  readonly #definition: FunctionDefinition;
  readonly #dynamodbEndpoint: string;
  readonly #log: Log;
  readonly #workers = new Set<FunctionWorker>();
  readonly #idle: FunctionWorker[] = [];
  readonly #queue: PromiseWithResolvers<FunctionWorker>[] = [];
  /**
   * Whether a worker is loading its handler. Workers do this one at a time, because several at once would delay each
   * other by seconds.
   */
  #initializing = false;
  #retired = false;
  #stopped = false;

  constructor(definition: FunctionDefinition, dynamodbEndpoint: string, log: Log) {
    this.#definition = definition;
    this.#dynamodbEndpoint = dynamodbEndpoint;
    this.#log = log;
  }

  /**
   * Starts the first worker in advance, so that it does not delay the first request.
   * @throws UserError if the function cannot be loaded
   */
  async start(): Promise<void> {
    try {
      this.#release(await this.#acquire());
    } catch (error) {
      if (!(error instanceof FunctionError)) throw error;
      throw new UserError(
        `${this.#definition.displayName} cannot be loaded (${error.errorType}: ${error.message}): fix its code`,
      );
    }
  }

  /**
   * @param event the event as JSON, which is passed on unchanged
   * @returns the handler's result as JSON
   * @throws FunctionError if the function cannot be loaded, fails, times out or ends its thread
   */
  async invoke(event: string, traceId: string): Promise<Buffer> {
    const worker = await this.#acquire();
    try {
      return await worker.invoke(event, traceId);
    } finally {
      this.#release(worker);
    }
  }

  /** Ends each worker as soon as it is idle. Requests that have begun may still invoke the function. */
  retire(): void {
    this.#retired = true;
    this.#assignWorkers();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all([...this.#workers].map((worker) => worker.stop()));
  }

  #acquire(): Promise<FunctionWorker> {
    const queued = Promise.withResolvers<FunctionWorker>();
    this.#queue.push(queued);
    this.#assignWorkers();
    return queued.promise;
  }

  #release(worker: FunctionWorker): void {
    this.#idle.push(worker);
    this.#assignWorkers();
  }

  /** Gives idle workers to queued invocations. If there are not enough, starts a worker. */
  #assignWorkers(): void {
    while (this.#queue.length > 0 && this.#idle.length > 0) {
      const worker = this.#idle.pop();
      if (worker?.ended === false) this.#queue.shift()?.resolve(worker);
    }
    const canStart = !this.#initializing && this.#workers.size < MAX_WORKERS && !this.#stopped;
    if (this.#queue.length > 0 && canStart) void this.#runWorker();
    if (this.#retired) for (const worker of this.#idle.splice(0)) void worker.stop();
  }

  /** Starts a worker. Assigns workers again when it is initialized, and when its thread has ended. */
  async #runWorker(): Promise<void> {
    const worker = new FunctionWorker(this.#definition, this.#dynamodbEndpoint, this.#log);
    this.#workers.add(worker);
    this.#initializing = true;
    try {
      await worker.initialized;
      this.#idle.push(worker);
    } catch (error) {
      // If this worker cannot load the handler, one queued invocation fails too.
      this.#queue.shift()?.reject(error);
    }
    this.#initializing = false;
    this.#assignWorkers();
    await worker.exited;
    this.#workers.delete(worker);
    this.#assignWorkers();
  }
}
