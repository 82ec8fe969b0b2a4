/** Invokes a function with an event in JSON; resolves with its result in JSON. Rejects with a FunctionError. */
export type Invoke = (event: string, traceId: string) => Promise<Buffer>;

/** Why an invocation has no result, in Lambda's terms. */
export class FunctionError extends Error {
  /** For example `Runtime.ExitError`, or the name of the error that the handler threw. */
  readonly errorType: string;

  constructor(errorType: string, message: string) {
    super(message);
    this.errorType = errorType;
  }
}
