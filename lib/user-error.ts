/** A failure that the user can fix: its message says what is wrong, then what to do. */
export class UserError extends Error {
  override readonly name = 'UserError';
}
