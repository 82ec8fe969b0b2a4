import { OUTPUTS } from '../../lib/outputs.ts';
import { type ConnectionOptions, connect, requireOutput } from '../command-line/connect.ts';
import { UserError } from '../command-line/failures.ts';
import { issueToken } from '../tokens/token-lifecycle.ts';
import { tableOf } from '../tokens/tokens-table.ts';

export interface Target {
  readonly baseUrl: URL;
  /** The access token, or the JWT of an OpenID Connect provider. */
  readonly token: string;
}

/**
 * Runs `use` with the base URL that the options select, with ACCESS_TOKEN or a new token, and with the deployed commit if
 * it is known. Revokes the new token afterward, even if `use` fails.
 *
 * @throws UserError if the options do not select exactly one target, or if the target does not exist
 */
export async function withTarget<T>(
  options: ConnectionOptions & { readonly url?: string | undefined },
  env: NodeJS.ProcessEnv,
  use: (target: Target, commit?: string) => Promise<T>,
): Promise<T> {
  if (Object.keys(options).length !== 1) {
    throw new UserError('expected exactly one of --stage STAGE, --local or --url URL');
  }
  if (options.url !== undefined) {
    if (!env.ACCESS_TOKEN) {
      throw new UserError('--url needs an access token; set the environment variable ACCESS_TOKEN');
    }
    return use({ baseUrl: parseBaseUrl(options.url), token: env.ACCESS_TOKEN });
  }
  const connection = await connect(options, env);
  const baseUrl = parseBaseUrl(requireOutput(connection, OUTPUTS.baseUrl));
  const table = tableOf(connection);
  // The lifetime is short, in case the command cannot revoke the token.
  const { record, token } = await issueToken(table, {
    client: 'conformance',
    lifetimeSeconds: 15 * 60,
  });
  try {
    return await use({ baseUrl, token }, connection.outputs[OUTPUTS.commit]);
  } finally {
    await table.remove(record.id);
  }
}

/** The URL is printed, so it must not contain secrets. */
function parseBaseUrl(text: string): URL {
  const url = URL.parse(text);
  if (
    url === null ||
    !['https:', 'http:'].includes(url.protocol) ||
    url.href !== url.origin + url.pathname
  ) {
    throw new UserError(
      'the base URL must be a valid https:// or http:// URL without user information, a query or a fragment',
    );
  }
  return url;
}
