/** The environment variables that the stack sets for every function. */
export type FunctionEnv = Record<'STAGE', string>;

/** The environment variables of operations, such as the names of their tables. */
export interface OperationEnv {
  readonly PLANTS_TABLE: string;
}

export type AuthorizeEnv = Record<'TOKENS_TABLE', string>;

export type AuthorizeOidcEnv = Record<'OIDC_ISSUER' | 'OIDC_AUDIENCE', string> & {
  readonly OIDC_SCOPE?: string;
};

export type PreTrafficEnv = Record<'PROBED_FUNCTION' | 'NEW_VERSION', string>;

/** Returns the value of an environment variable. @throws Error if the variable is not set */
export function requiredEnv<Env = Record<string, string>>(name: keyof Env & string): string {
  const value = process.env[name];
  if (!value) throw new Error(`the environment variable ${name} is not set`);
  return value;
}
