/** Invokes a function with an event as JSON. Resolves with the result as JSON, or rejects with a FunctionError. */
export type Invoke = (event: string, traceId: string) => Promise<Buffer>;

/** Receives the log line by line: functions' output, and failures. `traceId` is set if a line belongs to a request. */
export type Log = (line: string, traceId?: string) => void;

/** The reason why an invocation has no result, as Lambda would report it. */
export class FunctionError extends Error {
  /** For example `Runtime.ExitError`, or the name of the error that the handler threw. */
  readonly errorType: string;

  constructor(errorType: string, message: string) {
    super(message);
    this.errorType = errorType;
  }
}
