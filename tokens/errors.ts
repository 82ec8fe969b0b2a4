import { OperatorError } from './operator-error.ts';

/** For who wanted no AWS at all. */
const LOCALLY = 'for the stage of npm start, type npm run token -- COMMAND --local';

/** Names of AWS errors, by what an operator can do about them. */
const EXPLANATIONS: readonly (readonly [RegExp, string])[] = [
  [/^CredentialsProviderError$/, `there are no AWS credentials: sign in, or set AWS_PROFILE; ${LOCALLY}`],
  [/^AccessDenied/, 'your AWS credentials lack a permission, which docs/access-tokens.md names: ask for it'],
  [
    /Expired|InvalidClientTokenId|UnrecognizedClient|Signature|AuthFailure/,
    'AWS refuses your credentials: sign in again',
  ],
  [
    /^ResourceNotFoundException$/,
    'the tokens table does not exist: deploy the stage again, or start it again',
  ],
  [
    /^(ECONNREFUSED|ECONNRESET|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|TimeoutError)$/,
    'no connection: see that the network is there or, with --local, that npm start still runs',
  ],
];

/**
 * One line for whatever an operator can put right.
 *
 * @returns undefined where the error is a bug of ours
 */
export function explainFailure(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if (error instanceof OperatorError) return error.message;
  if (error.message === 'Region is missing')
    return `there is no AWS region: set AWS_REGION, or one in your profile; ${LOCALLY}`;
  const [detail = ''] = error.message.split('\n');
  const names = [error.name, 'code' in error ? String(error.code) : ''];
  const known = EXPLANATIONS.find(([pattern]) => names.some((name) => pattern.test(name)));
  if (known !== undefined) return `${known[1]} (${detail || names[1]})`;
  return '$fault' in error ? `${error.name}: ${detail}` : undefined;
}
