import { resolve } from 'node:path';
import { EmulatorError } from './emulator-error.ts';

/** The emulator's settings, from environment variables. */
export interface Settings {
  readonly port: number;
  readonly dynamodbPort: number;
  readonly dynamodbEndpoint: string | undefined;
  readonly dataDir: string;
  readonly host: string;
}

/**
 * Reads `PORT` and `DYNAMODB_PORT` (0 is any free port), `DYNAMODB_ENDPOINT` (a DynamoDB to use instead of the
 * embedded one), `DATA_DIR` and `HOST` (loopback; another address only for containers).
 *
 * @param dataFolder the folder if `DATA_DIR` is not set
 * @throws EmulatorError if a port or URL is malformed, or both ports are the same
 */
export function settingsFrom(env: NodeJS.ProcessEnv, dataFolder: string): Settings {
  const [apiPort, dynamodbPort] = [port(env, 'PORT', 3000), port(env, 'DYNAMODB_PORT', 8000)];
  const dynamodbEndpoint = endpoint(env, 'DYNAMODB_ENDPOINT');
  if (dynamodbEndpoint === undefined && apiPort === dynamodbPort && apiPort !== 0) {
    throw new EmulatorError(
      `PORT and DYNAMODB_PORT are both ${apiPort}: set one of them to another, or to 0 for any.`,
    );
  }
  return {
    port: apiPort,
    dynamodbPort,
    dynamodbEndpoint,
    dataDir: dataDirFrom(env, dataFolder),
    host: env.HOST || '127.0.0.1',
  };
}

/** `DATA_DIR`: the folder of the tables' data, and of the file that announces a running emulator. */
export function dataDirFrom(env: NodeJS.ProcessEnv, dataFolder: string): string {
  return resolve(env.DATA_DIR || dataFolder);
}

function endpoint(env: NodeJS.ProcessEnv, name: string): string | undefined {
  const text = env[name] || undefined;
  if (text === undefined || /^https?:$/.test(URL.parse(text)?.protocol ?? '')) return text;
  throw new EmulatorError(`${name} must be a URL such as http://127.0.0.1:8000, and is "${text}".`);
}

function port(env: NodeJS.ProcessEnv, name: string, defaultPort: number): number {
  const text = env[name] || String(defaultPort);
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (!(value <= 65_535))
    throw new EmulatorError(`${name} must be a port from 0 to 65535, and is "${text}".`);
  return value;
}
