/** Why an invocation gave no result, as Lambda tells its caller. */
export class FunctionError extends Error {
  /** For example `Runtime.ExitError`, or the name of what the handler threw. */
  readonly errorType: string;

  constructor(errorType: string, message: string) {
    super(message);
    this.errorType = errorType;
  }
}

/**
 * Invokes one function with an event as JSON, and returns the handler's result as JSON.
 * @throws FunctionError if the handler threw, timed out or ended its process
 */
export type Invoke = (event: string, traceId: string) => Promise<Buffer>;

/** One event on its way to a function, and where its result goes. */
export interface Invocation {
  readonly requestId: string;
  readonly traceId: string;
  /** The event, as JSON. */
  readonly payload: string;
  /** The handler's result, as JSON. */
  readonly succeed: (result: Buffer) => void;
  readonly fail: (error: FunctionError) => void;
}
