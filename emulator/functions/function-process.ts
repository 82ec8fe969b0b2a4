import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { FunctionDefinition } from './definition.ts';
import { lambdaEnvironment } from './environment.ts';
import { FunctionError, type Invocation } from './invocation.ts';
import type { ProcessGuard } from './process-guard.ts';
import { type Deliver, type RuntimeApi, serveRuntimeApi } from './runtime-api.ts';

/** Lambda's own limits. */
const INIT_TIMEOUT_MS = 10_000;
const MAX_RESULT_BYTES = 6 * 1024 * 1024;

export interface ProcessOptions {
  readonly definition: FunctionDefinition;
  readonly dynamodbEndpoint: string;
  readonly guard: ProcessGuard;
  /** Receives what the function writes, line by line, and what became of its process. */
  readonly log: (line: string) => void;
  /** It waits for an invocation. */
  readonly onIdle: (process: FunctionProcess) => void;
  /** It is gone; `initError` says why, if it never got as far as waiting. */
  readonly onExit: (process: FunctionProcess, initError: FunctionError | undefined) => void;
}

/** One execution environment of a function: a process that runs one invocation at a time. */
export class FunctionProcess {
  readonly #options: ProcessOptions;
  readonly #started: Promise<void>;
  #runtimeApi: RuntimeApi | undefined;
  #child: ChildProcess | undefined;
  #exited: Promise<void> = Promise.resolve();
  #initialized = false;
  #stopping = false;
  #deliver: Deliver | undefined;
  #invocation: Invocation | undefined;
  #timer: NodeJS.Timeout | undefined;
  #failure: FunctionError | undefined;

  constructor(options: ProcessOptions) {
    this.#options = options;
    this.#started = this.#start();
  }

  /** Only for a process that reported itself idle. */
  invoke(invocation: Invocation): void {
    const { definition } = this.#options;
    this.#invocation = invocation;
    this.#deadline(definition.timeoutSeconds * 1000, 'Sandbox.Timedout', 'Task timed out after');
    this.#deliver?.(invocation, definition.arn, Date.now() + definition.timeoutSeconds * 1000);
    this.#deliver = undefined;
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    await this.#started;
    this.#child?.kill('SIGKILL');
    await this.#exited;
  }

  async #start(): Promise<void> {
    const { definition, dynamodbEndpoint, log } = this.#options;
    const runtimeApi = await serveRuntimeApi({
      next: (deliver) => this.#idle(deliver),
      succeeded: (requestId, result) => this.#succeeded(requestId, result),
      failed: (requestId, error) => this.#settle(requestId, (invocation) => invocation.fail(error)),
      initFailed: (error) => {
        this.#failure = error;
      },
    });
    this.#runtimeApi = runtimeApi;
    const child = spawn(process.execPath, [join(import.meta.dirname, 'bootstrap.cjs')], {
      cwd: definition.taskRoot,
      env: lambdaEnvironment(definition, runtimeApi.address, dynamodbEndpoint),
      // The fourth is never written: it closes with this process, and the function's process ends then.
      stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    });
    this.#child = child;
    if (child.pid !== undefined) this.#options.guard.add(child.pid);
    this.#exited = new Promise<void>((resolve) => {
      child.once('close', (code, signal) => resolve(this.#gone(code, signal)));
    });
    child.on('error', (error) => {
      this.#failure = new FunctionError('Runtime.SpawnError', error.message);
    });
    for (const output of [child.stdout, child.stderr]) {
      if (output !== null) createInterface({ input: output }).on('line', log);
    }
    this.#deadline(INIT_TIMEOUT_MS, 'Sandbox.Timedout', 'Init timed out after');
  }

  #idle(deliver: Deliver): void {
    this.#initialized = true;
    this.#deliver = deliver;
    // The bootstrap sends a result and this question together, and the question may be read first.
    if (this.#invocation === undefined) this.#reportIdle();
  }

  #reportIdle(): void {
    clearTimeout(this.#timer);
    this.#options.onIdle(this);
  }

  #succeeded(requestId: string, result: Buffer): void {
    this.#settle(requestId, (invocation) => {
      if (result.length <= MAX_RESULT_BYTES) invocation.succeed(result);
      else
        invocation.fail(new FunctionError('Function.ResponseSizeTooLarge', `It has ${result.length} bytes`));
    });
  }

  /** Ends the invocation in flight, if it is the one that the function speaks of. */
  #settle(requestId: string, end: (invocation: Invocation) => void): void {
    const invocation = this.#invocation;
    if (invocation?.requestId !== requestId) return;
    clearTimeout(this.#timer);
    this.#invocation = undefined;
    end(invocation);
    if (this.#deliver !== undefined) this.#reportIdle();
  }

  #deadline(ms: number, errorType: string, text: string): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#failure = new FunctionError(errorType, `${text} ${(ms / 1000).toFixed(2)} seconds`);
      this.#child?.kill('SIGKILL');
    }, ms);
  }

  #gone(code: number | null, signal: NodeJS.Signals | null): void {
    clearTimeout(this.#timer);
    this.#runtimeApi?.close();
    if (this.#child?.pid !== undefined) this.#options.guard.remove(this.#child.pid);
    const exit = `Runtime exited with error: ${signal === null ? `exit status ${code}` : `signal ${signal}`}`;
    const error = this.#failure ?? new FunctionError('Runtime.ExitError', exit);
    if (!this.#stopping)
      this.#options.log(`${this.#options.definition.name}: ${error.errorType}: ${error.message}`);
    this.#invocation?.fail(error);
    this.#options.onExit(this, this.#initialized ? undefined : error);
  }
}
