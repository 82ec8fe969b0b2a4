import { announcedEmulator, dataDirFrom } from '../emulator/index.ts';
import { BASE_URL_OUTPUT, stackName } from '../lib/names.ts';
import { connect, DATA_FOLDER } from '../tokens/connect.ts';
import { OperatorError } from '../tokens/errors.ts';
import { issueToken, nowSeconds } from '../tokens/tokens.ts';
import type { Target } from './run.ts';

/** In case the token cannot be revoked. */
const TOKEN_LIFETIME_SECONDS = 15 * 60;

export interface TargetOptions {
  readonly stage?: string | undefined;
  readonly local?: boolean | undefined;
  readonly url?: string | undefined;
}

/**
 * Runs `use` with the base URL that the options select, and with ACCESS_TOKEN or a token that is revoked afterwards,
 * also if it fails.
 *
 * @throws OperatorError if the options are not exactly one target, or it does not exist
 */
export async function withTarget<T>(
  options: TargetOptions,
  env: NodeJS.ProcessEnv,
  use: (target: Target) => Promise<T>,
): Promise<T> {
  const { stage, local, url } = options;
  if ([stage, local, url].filter((option) => option !== undefined).length !== 1) {
    throw new OperatorError('expected one of --stage STAGE, --local and --url URL');
  }
  if (url !== undefined) return use({ baseUrl: parseBaseUrl(url), token: accessTokenOf(env) });
  const tokens = await connect(options, env, console.warn);
  const baseUrl = parseBaseUrl(stage === undefined ? await emulatorUrl(env) : await deployedUrl(stage));
  const expiresAt = nowSeconds() + TOKEN_LIFETIME_SECONDS;
  const { record, text: token } = await issueToken(tokens, { name: 'conformance', expiresAt });
  try {
    return await use({ baseUrl, token });
  } finally {
    await tokens.remove(record.id);
  }
}

function accessTokenOf({ ACCESS_TOKEN }: NodeJS.ProcessEnv): string {
  if (ACCESS_TOKEN) return ACCESS_TOKEN;
  throw new OperatorError('--url needs an access token in the environment variable ACCESS_TOKEN');
}

function parseBaseUrl(text: string): URL {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new OperatorError(`the base URL must begin with https:// or http://, and is "${text}"`);
  }
  return url;
}

async function emulatorUrl(env: NodeJS.ProcessEnv): Promise<string> {
  const emulator = await announcedEmulator(dataDirFrom(env, DATA_FOLDER));
  if (emulator === undefined) throw new OperatorError('the emulator has stopped; start it with npm start');
  return emulator.url;
}

async function deployedUrl(stage: string): Promise<string> {
  // As for the token command: --local does not wait for the CloudFormation client to load.
  const { stackOutput } = await import('../tokens/deployed.ts');
  const url = await stackOutput(stage, BASE_URL_OUTPUT);
  if (url !== undefined) return url;
  throw new OperatorError(`the stack ${stackName(stage)} has no output ${BASE_URL_OUTPUT}: deploy it again`);
}
