export { UserError } from '../../lib/user-error.ts';

export function messageOf(error: unknown): string {
  return Error.isError(error) ? error.message : String(error);
}

export const LOCAL_HINT =
  'for the emulator that npm start runs, add --local at the end, after npm’s --';

const NOT_FROM_AWS =
  'the response did not come from AWS: check your network for a proxy or a sign-in page, and try again';

/** For each pattern, what an operator can do about an AWS or network error whose name or code matches the pattern. */
const EXPLANATIONS: readonly (readonly [RegExp, string])[] = [
  [/^CredentialsProviderError$/, `no AWS credentials: sign in, or set AWS_PROFILE; ${LOCAL_HINT}`],
  [
    /^AccessDenied/,
    'your AWS credentials lack the permission named in parentheses: ask your administrator for it; ' +
      'docs/access-tokens.md lists the permissions that npm run token needs',
  ],
  [
    /Expired|InvalidClientTokenId|UnrecognizedClient|Signature/,
    'AWS rejected your credentials: sign in again',
  ],
  [
    /^ResourceNotFoundException$/,
    'the table does not exist: deploy the stage again or, with --local, stop npm start and run it again',
  ],
  [
    /^(ECONNREFUSED|ECONNRESET|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|TimeoutError)$/,
    'no connection: check your network or, with --local, whether npm start is still running',
  ],
  [/^HPE_|^EPROTO$|^ERR_(SSL|TLS)_|CERT|^UNABLE_TO_/, NOT_FROM_AWS],
];

/** @returns the explanation of an error that the operator can fix, or undefined for a bug in the command */
export function explainFailure(error: unknown): string | undefined {
  if (!Error.isError(error)) return undefined;
  // Also the emulator's own UserError.
  if (error.name === 'UserError') return error.message;
  if (error.message === 'Region is missing') {
    return `no AWS region: set AWS_REGION, or configure one in your profile; ${LOCAL_HINT}`;
  }
  const [detail = ''] = error.message.split('\n');
  const code = 'code' in error ? String(error.code) : '';
  const known = EXPLANATIONS.find(([pattern]) => pattern.test(error.name) || pattern.test(code));
  if (known !== undefined) return `${known[1]} (${detail || code})`;
  if ('$fault' in error && error.name !== 'Unknown') return `${error.name}: ${detail}`;
  // The SDK adds the response to the error if it could not parse the response.
  return '$response' in error ? `${NOT_FROM_AWS} (${detail})` : undefined;
}
