import { resolve } from 'node:path';
import { UserError } from './errors.ts';

/**
 * Reads the environment variables `PORT` and `DYNAMODB_PORT` (0 means any free port), `DYNAMODB_ENDPOINT` (a DynamoDB
 * to use instead of the embedded one), `DATA_DIR`, and `HOST` (by default, loopback; use another address only for
 * containers).
 *
 * @param defaultDataDir the folder to use if `DATA_DIR` is not set
 * @throws UserError if a port is malformed
 */
export function settingsFrom(env: NodeJS.ProcessEnv, defaultDataDir: string) {
  return {
    port: port(env, 'PORT', 3000),
    dynamodbPort: port(env, 'DYNAMODB_PORT', 8000),
    dynamodbEndpoint: env.DYNAMODB_ENDPOINT || undefined,
    dataDir: dataDirFrom(env, defaultDataDir),
    host: env.HOST || '127.0.0.1',
  };
}

/** Returns the folder for the tables' data and for the file that announces a running emulator. */
export function dataDirFrom(env: NodeJS.ProcessEnv, defaultDataDir: string): string {
  return resolve(env.DATA_DIR || defaultDataDir);
}

function port(env: NodeJS.ProcessEnv, name: string, defaultPort: number): number {
  const text = env[name] || String(defaultPort);
  if (/^\d+$/.test(text) && Number(text) <= 65_535) return Number(text);
  throw new UserError(`${name} must be a port from 0 to 65535, got "${text}"`);
}
