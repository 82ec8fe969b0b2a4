/** @throws where the environment variable isn't set */
export function requiredEnv(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`the environment variable ${name} is not set`);
  return value;
}
