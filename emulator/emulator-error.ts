import { isNativeError } from 'node:util/types';

/** A failure meant for the person who starts the stage: its message says what happened and what to do next. */
export class EmulatorError extends Error {
  override readonly name = 'EmulatorError';
}

/**
 * Something of the template that the stage can't do as AWS would.
 *
 * @param what names it, and where it stands
 * @param file where the stage can learn it
 */
export function unsupported(what: string, file: string): EmulatorError {
  return new EmulatorError(`${what}: teach it to the stage in ${file}, or take it out of lib/`);
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
