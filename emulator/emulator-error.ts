import { isNativeError } from 'node:util/types';

/** A failure meant for the person who starts the stage: its message says what happened and what to do next. */
export class EmulatorError extends Error {
  override readonly name = 'EmulatorError';
}

/**
 * The error for a part of the template that the emulator does not implement.
 *
 * @param what its path in the template and its name, for example `Queue: AWS::SQS::Queue`
 * @param file the module in which to implement it
 */
export function unsupported(what: string, file: string): EmulatorError {
  return new EmulatorError(
    `${what} is not supported by the emulator: add it in ${file}, or remove it from the stack`,
  );
}

// Jest runs tests in a realm of its own, where Node's own errors are no instances of its Error.

/** The `code` of a Node or LevelDB error (`EADDRINUSE`, `LEVEL_LOCKED`, …), if it has one. */
export function codeOf(error: unknown): string | undefined {
  return isNativeError(error) && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** What an error says, or what its cause says if it has one: `fetch failed` tells nobody anything. */
export function messageOf(error: unknown): string {
  if (!isNativeError(error)) return String(error);
  return error.cause === undefined ? error.message : messageOf(error.cause);
}
