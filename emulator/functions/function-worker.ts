import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { Worker } from 'node:worker_threads';
import { codeOf } from '../emulator-error.ts';
import type { FunctionDefinition } from './definition.ts';
import { FunctionError } from './invocation.ts';

/** Lambda's own limits. */
const INIT_TIMEOUT_MS = 10_000;
const DEBUGGED_TIMEOUT_MS = 24 * 60 * 60 * 1000;
const MAX_RESULT_BYTES = 6_291_556;

export interface FunctionWorkerOptions {
  readonly definition: FunctionDefinition;
  readonly dynamodbEndpoint: string;
  /** Whether a debugger may pause it: then it has no timeouts. */
  readonly debugged: boolean;
  /** Receives what the function writes, line by line, and why its thread ended, with the trace id of the invocation. */
  readonly log: (line: string, traceId?: string) => void;
  /** Called when the thread has ended, before the invocation that it had fails. */
  readonly onEnd: () => void;
}

/** What worker.mjs posts. */
type Message =
  | { readonly kind: 'output'; readonly text: string }
  | { readonly kind: 'result'; readonly json: string }
  | { readonly kind: 'error'; readonly errorType: string; readonly errorMessage: string };

/** One execution environment of a function: a thread that runs one invocation at a time. */
export class FunctionWorker {
  /** Resolves when the handler is loaded; rejects with a FunctionError if it cannot be. */
  readonly initialized: Promise<Buffer>;
  readonly #options: FunctionWorkerOptions;
  readonly #worker: Worker;
  readonly #exited: Promise<void>;
  #pending: PromiseWithResolvers<Buffer> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #traceId: string | undefined;
  #partialLine = '';
  #failure: FunctionError | undefined;
  #stopping = false;

  constructor(options: FunctionWorkerOptions) {
    const { definition, dynamodbEndpoint } = options;
    this.#options = options;
    this.#worker = new Worker(join(import.meta.dirname, 'worker.mjs'), {
      name: definition.name,
      env: lambdaEnvironment(definition, dynamodbEndpoint),
      // The emulator's own options, such as --import, are not the function's.
      execArgv: [],
      resourceLimits: {
        maxOldGenerationSizeMb: definition.memorySize,
        // With V8's larger default, one collection can promote more than the limit leaves, which aborts the process.
        maxYoungGenerationSizeMb: 4,
      },
    });
    this.#worker.on('message', (message: Message) => this.#receive(message));
    this.#worker.on('error', (error) => this.#fail(error));
    this.#exited = new Promise((resolve) => {
      this.#worker.on('exit', (code) => resolve(this.#end(code)));
    });
    this.initialized = this.#result(INIT_TIMEOUT_MS, 'Init timed out after');
  }

  /** Only for a worker that is initialized and has no other invocation. */
  invoke(event: string, traceId: string): Promise<Buffer> {
    const { debugged, definition } = this.#options;
    const { arn, timeoutSeconds } = definition;
    const timeoutMs = timeoutSeconds * 1000;
    this.#traceId = traceId;
    const result = this.#result(timeoutMs, 'Task timed out after');
    this.#worker.postMessage({
      event,
      traceId,
      requestId: randomUUID(),
      arn,
      // Not Infinity, which no timer of a function could have.
      deadline: Date.now() + (debugged ? DEBUGGED_TIMEOUT_MS : timeoutMs),
    });
    return result;
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    await this.#worker.terminate();
    await this.#exited;
  }

  /** Ends the thread, an endless loop included, unless it posts a result within `timeoutMs`. */
  #result(timeoutMs: number, message: string): Promise<Buffer> {
    const pending = Promise.withResolvers<Buffer>();
    this.#pending = pending;
    if (this.#options.debugged) return pending.promise;
    this.#timer = setTimeout(() => {
      this.#failure = new FunctionError(
        'Sandbox.Timedout',
        `${message} ${(timeoutMs / 1000).toFixed(2)} seconds`,
      );
      void this.#worker.terminate();
    }, timeoutMs);
    return pending.promise;
  }

  #receive(message: Message): void {
    if (message.kind === 'output') {
      const lines = (this.#partialLine + message.text).split('\n');
      this.#partialLine = lines.pop() ?? '';
      for (const line of lines) this.#options.log(line, this.#traceId);
      return;
    }
    clearTimeout(this.#timer);
    const pending = this.#pending;
    this.#pending = undefined;
    // What the function writes from now on belongs to no request.
    this.#traceId = undefined;
    if (message.kind === 'error') {
      pending?.reject(new FunctionError(message.errorType, message.errorMessage));
      return;
    }
    const result = Buffer.from(message.json);
    if (result.length <= MAX_RESULT_BYTES) pending?.resolve(result);
    else
      pending?.reject(
        new FunctionError('Function.ResponseSizeTooLarge', `the result has ${result.length} bytes`),
      );
  }

  /** An exception that nothing caught, or a heap beyond MemorySize: the thread ends. */
  #fail(error: unknown): void {
    const outOfMemory = codeOf(error) === 'ERR_WORKER_OUT_OF_MEMORY';
    if (outOfMemory)
      this.#failure = new FunctionError('Runtime.OutOfMemory', 'the heap is larger than MemorySize');
    else this.#options.log(inspect(error), this.#traceId);
  }

  #end(code: number): void {
    clearTimeout(this.#timer);
    const { definition, log, onEnd } = this.#options;
    if (this.#partialLine !== '') log(this.#partialLine, this.#traceId);
    const error =
      this.#failure ??
      new FunctionError('Runtime.ExitError', `Runtime exited with error: exit status ${code}`);
    if (!this.#stopping) log(`${definition.name}: ${error.errorType}: ${error.message}`, this.#traceId);
    onEnd();
    this.#pending?.reject(error);
  }
}

/** The environment variables that Lambda sets, and none of this machine's own. */
function lambdaEnvironment(definition: FunctionDefinition, dynamodbEndpoint: string): Record<string, string> {
  const { name, version, memorySize, logGroup, region } = definition;
  const today = new Date().toISOString().slice(0, 10).replaceAll('-', '/');
  return {
    AWS_REGION: region,
    AWS_DEFAULT_REGION: region,
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    AWS_SESSION_TOKEN: 'local',
    AWS_EXECUTION_ENV: `AWS_Lambda_${definition.runtime}`,
    AWS_LAMBDA_FUNCTION_NAME: name,
    AWS_LAMBDA_FUNCTION_VERSION: version,
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(memorySize),
    AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
    AWS_LAMBDA_LOG_GROUP_NAME: logGroup,
    AWS_LAMBDA_LOG_STREAM_NAME: `${today}/[${version}]local`,
    AWS_LAMBDA_LOG_FORMAT: definition.logFormat,
    ...(definition.logLevel === undefined ? {} : { AWS_LAMBDA_LOG_LEVEL: definition.logLevel }),
    LAMBDA_TASK_ROOT: definition.taskRoot,
    _HANDLER: definition.handler,
    PATH: '/usr/local/bin:/usr/bin:/bin',
    LANG: 'en_US.UTF-8',
    TZ: ':UTC',
    ...definition.environment,
    AWS_ENDPOINT_URL_DYNAMODB: dynamodbEndpoint,
  };
}
