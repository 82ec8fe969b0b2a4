/** The environment variables that the stack sets for this function, beside `FunctionEnv`. */
export type AuthorizeOidcEnv = Record<'OIDC_ISSUER' | 'OIDC_AUDIENCE', string> & {
  /** Absent if any valid token is enough. */
  readonly OIDC_SCOPE?: string;
};
