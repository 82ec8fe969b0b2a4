/** `Bearer` has no letter case (RFC 9110 §11.1). A regular expression for Java too, hence no flag. */
const SCHEME = '[Bb][Ee][Aa][Rr][Ee][Rr]';

/** `Bearer` and a token in RFC 6750's alphabet (§2.1). */
const HEADER = new RegExp(`^${SCHEME} +([A-Za-z0-9._~+/-]+=*)$`);

/** The Authorization headers that API Gateway passes to an authorizer: those with a token of this pattern. */
export function validationExpression(tokenPattern: string): string {
  return `^${SCHEME} +${tokenPattern}$`;
}

/** @returns the token in an Authorization header, or an empty string, which no authorizer accepts */
export function bearerToken(authorization: string): string {
  return HEADER.exec(authorization)?.[1] ?? '';
}
