/** The environment variables that the stack sets for every function. */
export type FunctionEnv = Record<'STAGE', string>;

/** For operations: the names of their tables. */
export interface OperationEnv {
  readonly PLANTS_TABLE: string;
}

/** For authorize. */
export type AuthorizeEnv = Record<'TOKENS_TABLE', string>;

/** For authorize-oidc; without a scope, any valid token is enough. */
export type AuthorizeOidcEnv = Record<'OIDC_ISSUER' | 'OIDC_AUDIENCE', string> & {
  readonly OIDC_SCOPE?: string;
};

/** For pre-traffic. */
export type PreTrafficEnv = Record<'PROBED_FUNCTION' | 'NEW_VERSION', string>;

/**
 * @returns the value of an environment variable, which must be one that the stack sets
 * @throws Error if it is not set
 */
export function requiredEnv<Env = Record<string, string>>(name: keyof Env & string): string {
  const value = process.env[name];
  if (!value) throw new Error(`the environment variable ${name} is not set`);
  return value;
}
