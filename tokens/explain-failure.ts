import { OperatorError } from './operator-error.ts';

/** Names of AWS errors, by what an operator can do about them. */
const EXPLANATIONS: readonly (readonly [RegExp, string])[] = [
  [/^CredentialsProviderError$/, 'there are no AWS credentials: sign in, or set AWS_PROFILE'],
  [/^AccessDenied/, 'your AWS credentials lack the permission'],
  [/Expired|InvalidClientTokenId|UnrecognizedClient|Signature|AuthFailure/, 'AWS refuses your credentials'],
  [/^ResourceNotFoundException$/, 'the tokens table does not exist'],
  [
    /^(ECONNREFUSED|ECONNRESET|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|TimeoutError)$/,
    'no connection',
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
    return 'there is no AWS region: set AWS_REGION, or one in your profile';
  const [detail = ''] = error.message.split('\n');
  const names = [error.name, 'code' in error ? String(error.code) : ''];
  const known = EXPLANATIONS.find(([pattern]) => names.some((name) => pattern.test(name)));
  if (known !== undefined) return `${known[1]} (${detail || names[1]})`;
  return '$fault' in error ? `${error.name}: ${detail}` : undefined;
}
