/** The environment variables that the stack sets for every function. */
export type FunctionEnv = Record<'STAGE', string>;

/**
 * @returns the value of an environment variable, whose name is checked against what the stack sets
 * @throws Error if it is not set
 */
export function requiredEnv<Env = Record<string, string>>(name: keyof Env & string): string {
  const value = process.env[name];
  if (!value) throw new Error(`the environment variable ${name} is not set`);
  return value;
}
