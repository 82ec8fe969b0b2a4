import { BASE_URL_OUTPUT } from '../../lib/names.ts';
import { findService } from '../tokens/connect.ts';
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
  const { url: found, tokens } = await findService(options, env, console.warn);
  if (found === undefined) {
    throw new OperatorError(
      `the stack of the stage ${stage} has no output ${BASE_URL_OUTPUT}: deploy it again`,
    );
  }
  const baseUrl = parseBaseUrl(found);
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
