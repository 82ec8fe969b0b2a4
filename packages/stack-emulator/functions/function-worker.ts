import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { inspect } from 'node:util';
import {
  MessageChannel,
  type MessagePort,
  receiveMessageOnPort,
  Worker,
} from 'node:worker_threads';
import { debuggableTimeout } from '../debugger.ts';
import { codeOf } from '../errors.ts';
import type { FunctionDefinition } from './definition.ts';
import { FunctionError, type Log } from './invocation.ts';

/** Lambda's limit on the duration of init. */
const INIT_TIMEOUT_MS = 10_000;

/** A message that worker-thread.mjs posts. */
type Message =
  | { readonly kind: 'output'; readonly text: string }
  | { readonly kind: 'result'; readonly json: string }
  | { readonly kind: 'error'; readonly errorType: string; readonly errorMessage: string };

/** One execution environment of a function: a thread that runs one invocation at a time. */
export class FunctionWorker {
  /** Resolves when the handler is loaded; rejects with a FunctionError if loading fails. */
  readonly initialized: Promise<Buffer>;
  /**
   * Whether the worker can no longer run invocations. Its thread may still run, because nothing interrupts native code.
   */
  ended = false;
  readonly exited: Promise<void>;
  readonly #definition: FunctionDefinition;
  readonly #log: Log;
  readonly #thread: Worker;
  readonly #port: MessagePort;
  #pending: PromiseWithResolvers<Buffer> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #traceId: string | undefined;
  #stopping = false;

  constructor(definition: FunctionDefinition, dynamodbEndpoint: string, log: Log) {
    this.#definition = definition;
    this.#log = log;
    // Unlike the thread's own port, this one can be read synchronously, when the thread has ended.
    const { port1, port2 } = new MessageChannel();
    this.#port = port1;
    this.#thread = new Worker(join(import.meta.dirname, 'worker-thread.mjs'), {
      name: definition.displayName,
      env: { ...definition.environment, AWS_ENDPOINT_URL_DYNAMODB: dynamodbEndpoint },
      // The emulator's Node options, such as --import, do not apply to functions.
      execArgv: [],
      workerData: { port: port2 },
      transferList: [port2],
      resourceLimits: {
        maxOldGenerationSizeMb: definition.memoryMb,
        // With V8's larger default, a single garbage collection can promote more data than the limit allows, which
        // aborts the process.
        maxYoungGenerationSizeMb: 4,
      },
    });
    port1.on('message', (message: Message) => this.#receive(message));
    this.#thread.on('error', (error) => this.#fail(error));
    this.exited = new Promise((resolve) => {
      this.#thread.on('exit', (code) => {
        this.#end('Runtime.ExitError', `Runtime exited with error: exit status ${code}`);
        resolve();
      });
    });
    this.initialized = this.#nextResult(debuggableTimeout(INIT_TIMEOUT_MS), 'Init timed out after');
  }

  /** Call this only on a worker that is initialized, has not ended, and is not running another invocation. */
  invoke(event: string, traceId: string): Promise<Buffer> {
    const { arn, timeoutSeconds } = this.#definition;
    const timeoutMs = debuggableTimeout(timeoutSeconds * 1000);
    this.#traceId = traceId;
    const result = this.#nextResult(timeoutMs, 'Task timed out after');
    this.#port.postMessage({
      event,
      traceId,
      requestId: randomUUID(),
      arn,
      deadline: Date.now() + timeoutMs,
    });
    return result;
  }

  /** Resolves when the thread has ended. */
  async stop(): Promise<void> {
    this.#stopping = true;
    await this.#thread.terminate();
  }

  /** Returns the next result. If there is none within `timeoutMs`, ends the worker, even in an endless loop. */
  #nextResult(timeoutMs: number, message: string): Promise<Buffer> {
    const pending = Promise.withResolvers<Buffer>();
    this.#pending = pending;
    this.#timer = setTimeout(() => {
      void this.#thread.terminate();
      this.#end('Sandbox.Timedout', `${message} ${(timeoutMs / 1000).toFixed(2)} seconds`);
    }, timeoutMs);
    return pending.promise;
  }

  #receive(message: Message): void {
    if (message.kind === 'output') {
      for (const line of message.text.replace(/\n$/, '').split('\n')) this.#line(line);
      return;
    }
    clearTimeout(this.#timer);
    const pending = this.#pending;
    this.#pending = undefined;
    // Later output of the function does not belong to any request.
    this.#traceId = undefined;
    if (message.kind === 'result') pending?.resolve(Buffer.from(message.json));
    else pending?.reject(new FunctionError(message.errorType, message.errorMessage));
  }

  /** Handles an uncaught exception, or a heap that exceeds MemorySize; both end the thread. */
  #fail(error: unknown): void {
    if (codeOf(error) === 'ERR_WORKER_OUT_OF_MEMORY') {
      this.#end('Runtime.OutOfMemory', 'the heap is larger than MemorySize');
    } else if (!this.ended) this.#line(inspect(error));
  }

  /** Called at the timeout, or when the thread ends. */
  #end(errorType: string, message: string): void {
    if (this.ended) return;
    this.ended = true;
    clearTimeout(this.#timer);
    // Receives the messages that the thread has posted so far.
    const posted = () => receiveMessageOnPort(this.#port);
    for (let next = posted(); next !== undefined; next = posted()) this.#receive(next.message);
    this.#port.close();
    if (!this.#stopping) this.#line(`${this.#definition.displayName}: ${errorType}: ${message}`);
    this.#pending?.reject(new FunctionError(errorType, message));
  }

  #line(text: string): void {
    this.#log(text, this.#traceId);
  }
}
