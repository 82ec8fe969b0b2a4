import { EmulatorError, messageOf } from '../emulator-error.ts';
import type { FunctionDefinition } from './definition.ts';
import { FunctionWorker } from './function-worker.ts';
import { FunctionError } from './invocation.ts';

/** Bounds the memory that a burst of requests costs; further invocations are queued. */
const MAX_WORKERS = 10;

export interface FunctionPoolOptions {
  readonly log: (line: string, traceId?: string) => void;
  /** Whether a debugger may pause the function: then it has no timeouts. */
  readonly debugged?: boolean | undefined;
}

/** Runs one function in as many worker threads as its load needs. */
export class FunctionPool {
  readonly #definition: FunctionDefinition;
  readonly #log: FunctionPoolOptions['log'];
  readonly #debugged: boolean;
  readonly #workers = new Set<FunctionWorker>();
  readonly #idle: FunctionWorker[] = [];
  readonly #queue: PromiseWithResolvers<FunctionWorker>[] = [];
  /** How many workers load their handler; each will accept one of the queued invocations. */
  #initializing = 0;
  #dynamodbEndpoint = '';
  #retired = false;
  #stopped = false;

  /** Starts nothing yet. */
  constructor(definition: FunctionDefinition, { log, debugged = false }: FunctionPoolOptions) {
    this.#definition = definition;
    this.#log = log;
    this.#debugged = debugged;
  }

  /**
   * Starts a first worker, so that the first request does not wait for one.
   * @throws EmulatorError if Node cannot start a worker with the function's environment
   */
  start(dynamodbEndpoint: string): void {
    this.#dynamodbEndpoint = dynamodbEndpoint;
    try {
      this.#grow();
    } catch (error) {
      throw new EmulatorError(
        `${this.#definition.name}: Node cannot start its worker thread (${messageOf(error)}); change its environment`,
      );
    }
  }

  /** @throws EmulatorError if the function cannot be loaded */
  async assertLoads(): Promise<void> {
    try {
      this.#release(await this.#acquire());
    } catch (error) {
      if (!(error instanceof FunctionError)) throw error;
      throw new EmulatorError(
        `${this.#definition.name} cannot be loaded: fix its code (${error.errorType}: ${error.message})`,
      );
    }
  }

  /**
   * @param event JSON, passed on unchanged
   * @returns the handler's result in JSON
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
    for (const worker of this.#idle.splice(0)) void worker.stop();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    for (const { reject } of this.#queue.splice(0)) reject(stopping());
    await Promise.all([...this.#workers].map((worker) => worker.stop()));
  }

  #acquire(): Promise<FunctionWorker> {
    if (this.#stopped) return Promise.reject(stopping());
    const worker = this.#idle.pop();
    if (worker !== undefined) return Promise.resolve(worker);
    const queued = Promise.withResolvers<FunctionWorker>();
    this.#queue.push(queued);
    if (this.#queue.length > this.#initializing) this.#grow();
    return queued.promise;
  }

  #release(worker: FunctionWorker): void {
    if (!this.#workers.has(worker)) return;
    const next = this.#queue.shift();
    if (next !== undefined) next.resolve(worker);
    else if (this.#retired) void worker.stop();
    else this.#idle.push(worker);
  }

  #grow(): void {
    if (this.#stopped || this.#workers.size === MAX_WORKERS) return;
    const worker = new FunctionWorker({
      definition: this.#definition,
      dynamodbEndpoint: this.#dynamodbEndpoint,
      debugged: this.#debugged,
      log: this.#log,
      onEnd: () => this.#remove(worker),
    });
    this.#workers.add(worker);
    this.#initializing += 1;
    worker.initialized
      .finally(() => {
        this.#initializing -= 1;
      })
      .then(
        () => this.#release(worker),
        // One queued invocation fails with this worker; #remove() starts another if more are queued.
        (error) => this.#queue.shift()?.reject(error),
      );
  }

  #remove(worker: FunctionWorker): void {
    this.#workers.delete(worker);
    const index = this.#idle.indexOf(worker);
    if (index >= 0) this.#idle.splice(index, 1);
    if (this.#queue.length > this.#initializing) this.#grow();
  }
}

function stopping(): FunctionError {
  return new FunctionError('Runtime.Stopped', 'the emulator is stopping');
}
