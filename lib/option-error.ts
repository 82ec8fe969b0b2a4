/** An option of `cdk -c` that can't be: its message says what is wrong with it and what it may be. */
export class OptionError extends Error {
  override readonly name = 'OptionError';
}
