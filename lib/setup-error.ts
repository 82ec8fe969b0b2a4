/** An error that the owner of the service can fix: an option, or the list of operations. The message says how. */
export class SetupError extends Error {
  override readonly name = 'SetupError';
}
