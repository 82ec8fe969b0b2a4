import { OperatorError } from './operator-error.ts';

/**
 * What a client may be called. The name goes into logs as it is, hence no quotes; and it is too short for an
 * access token or its secret, which so can't be taken for a name and repeated in an error or a list.
 */
const NAME = /^[A-Za-z0-9][A-Za-z0-9 ._@-]{0,47}$/;

/** @throws OperatorError, which doesn't repeat the text */
export function requireName(text: string | undefined, what: string): string {
  if (text !== undefined && NAME.test(text)) return text;
  throw new OperatorError(
    text === undefined
      ? `${what} is missing: npm run token -- --help shows where it goes`
      : `${what} must be 1 to 48 letters, digits, spaces or any of . _ @ - and begin with a letter or digit`,
  );
}
