/** A failure that the user can fix: its message says what is wrong, then what to do. */
export class UserError extends Error {
  override readonly name = 'UserError';
}

/**
 * Returns the error for something in the template that the emulator does not support.
 * @param what the resource or path, and what is not supported there, for example `Queue: AWS::SQS::Queue`
 */
export function unsupported(what: string): UserError {
  return new UserError(
    `${what} is not supported by the emulator: remove it from the stack, or add support for it to the emulator`,
  );
}

/** Returns the `code` of the innermost cause (`EADDRINUSE`, `LEVEL_LOCKED`, …), if it has one. */
export function codeOf(error: unknown): string | undefined {
  if (!isError(error)) return undefined;
  if (error.cause !== undefined) return codeOf(error.cause);
  return 'code' in error ? String(error.code) : undefined;
}

/** Returns the message of the innermost cause, because an outer message such as `fetch failed` explains nothing. */
export function reasonOf(error: unknown): string {
  if (!isError(error)) return String(error);
  return error.cause === undefined ? error.message : reasonOf(error.cause);
}

export function listenError(
  error: unknown,
  variable: 'PORT' | 'DYNAMODB_PORT',
  host: string,
  port: number,
): UserError {
  const name = variable === 'PORT' ? 'Port' : "DynamoDB's port";
  if (codeOf(error) === 'EADDRINUSE') {
    return new UserError(
      `${name} ${port} is in use: set ${variable} to another port, or to 0 for any free one`,
    );
  }
  return new UserError(
    `${name} ${port} cannot be opened on ${host} (${reasonOf(error)}): change HOST or ${variable}`,
  );
}

/** Combines the rejected results into one error, whose message has a line for each reason; a bug stays as it is. */
export function combinedError(...results: readonly PromiseSettledResult<unknown>[]): unknown {
  const rejected = results.filter((result) => result.status === 'rejected');
  const reasons: readonly unknown[] = rejected.map(({ reason }) => reason);
  const bug = reasons.find((reason) => !(reason instanceof UserError));
  return bug ?? new UserError(reasons.map(reasonOf).join('\n'));
}

/** Also accepts what a worker thread throws, because Node copies it to an object that only looks like an Error. */
function isError(error: unknown): error is Error {
  return typeof error === 'object' && error !== null && 'message' in error;
}
