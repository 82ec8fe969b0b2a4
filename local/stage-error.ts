/** A failure meant for the person who starts the stage: its message says what happened and what to do next. */
export class StageError extends Error {
  override readonly name = 'StageError';
}

/** The `code` of a Node or LevelDB error (`EADDRINUSE`, `LEVEL_LOCKED`, …), if it has one. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
