import { randomUUID } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { FunctionProcess, type ProcessOptions } from './function-process.ts';
import { FunctionError, type Invocation } from './invocation.ts';

/** One process per core keeps the machine busy; more are for invocations that mostly wait. */
const BUSY_PROCESSES = availableParallelism();
const MAX_PROCESSES = BUSY_PROCESSES * 8;
const PATIENCE_MS = 1_000;

interface Queued extends Invocation {
  readonly since: number;
}

/** Runs one function in as many processes as its load needs; what exceeds them waits its turn. */
export class FunctionPool {
  readonly #options: Omit<ProcessOptions, 'onIdle' | 'onExit'>;
  readonly #processes = new Set<FunctionProcess>();
  readonly #idle: FunctionProcess[] = [];
  readonly #queue: Queued[] = [];
  #starting: FunctionProcess | undefined;
  #growth: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(options: Omit<ProcessOptions, 'onIdle' | 'onExit'>) {
    this.#options = options;
    this.#grow();
  }

  /**
   * @param event is sent as it is, so it must be JSON
   * @returns the handler's result as JSON
   * @throws FunctionError if the handler threw, took too long, or its process ended
   */
  invoke(event: string, traceId: string): Promise<Buffer> {
    return new Promise((succeed, fail) => {
      if (this.#stopped) return fail(new FunctionError('Runtime.Stopped', 'The stage is stopping'));
      const invocation = {
        requestId: randomUUID(),
        traceId,
        payload: event,
        succeed,
        fail,
        since: Date.now(),
      };
      const process = this.#idle.pop();
      if (process !== undefined) return process.invoke(invocation);
      this.#queue.push(invocation);
      this.#grow();
    });
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#growth);
    for (const queued of this.#queue.splice(0))
      queued.fail(new FunctionError('Runtime.Stopped', 'The stage stopped'));
    await Promise.all([...this.#processes].map((process) => process.stop()));
  }

  /** One start at a time: a burst that the present processes will have dealt with starts no herd. */
  #grow(): void {
    if (this.#stopped || this.#starting !== undefined || this.#processes.size >= MAX_PROCESSES) return;
    const [oldest] = this.#queue;
    if (this.#processes.size >= BUSY_PROCESSES) {
      const waited = oldest === undefined ? 0 : Date.now() - oldest.since;
      if (oldest === undefined) return;
      if (waited < PATIENCE_MS) {
        this.#growth ??= setTimeout(() => {
          this.#growth = undefined;
          this.#grow();
        }, PATIENCE_MS - waited);
        return;
      }
    }
    this.#starting = new FunctionProcess({
      ...this.#options,
      onIdle: (process) => this.#onIdle(process),
      onExit: (process, initError) => this.#onExit(process, initError),
    });
    this.#processes.add(this.#starting);
  }

  #onIdle(process: FunctionProcess): void {
    if (process === this.#starting) this.#starting = undefined;
    const next = this.#queue.shift();
    if (next === undefined) this.#idle.push(process);
    else process.invoke(next);
    if (this.#queue.length > 0) this.#grow();
  }

  #onExit(process: FunctionProcess, initError: FunctionError | undefined): void {
    this.#processes.delete(process);
    if (this.#idle.includes(process)) this.#idle.splice(this.#idle.indexOf(process), 1);
    if (process === this.#starting) this.#starting = undefined;
    // Each failed start costs one invocation, so a function that can't start ends what waits instead of looping.
    if (initError !== undefined) this.#queue.shift()?.fail(initError);
    if (this.#queue.length > 0) this.#grow();
  }
}
