import type { TokenRecord } from '../../lambda/shared/tokens/access-token.ts';
import { OPTIONS } from '../../lib/options/options.ts';
import { connect } from '../command-line/connect.ts';
import { parseOptions } from '../command-line/parse-options.ts';
import { lifetimeOf, overlapOf, requireClient } from './arguments.ts';
import { issueToken, revokeToken, rotateTokens, validTokens } from './token-lifecycle.ts';
import { tableOf } from './tokens-table.ts';

export interface Output {
  readonly stdout: string;
  /** For people, so that `$(…)` captures only stdout. */
  readonly stderr?: string;
}

type Command = (args: readonly string[], env: NodeJS.ProcessEnv) => Promise<Output>;

export const issue: Command = async (args, env) => {
  const { values, positionals } = parseOptions(
    args,
    'token',
    { expires: { type: 'string' } },
    true,
  );
  const client = requireClient(positionals, 'NAME');
  const lifetimeSeconds = lifetimeOf(values.expires);
  const { record, token } = await issueToken(tableOf(await connect(values, env)), {
    client,
    lifetimeSeconds,
  });
  return { stdout: token, stderr: issuedNote(record) };
};

export const list: Command = async (args, env) => {
  const { values } = parseOptions(args, 'token', {});
  const table = tableOf(await connect(values, env));
  return {
    stdout: validTokens(await table.all())
      .map(jsonOf)
      .join('\n'),
  };
};

export const revoke: Command = async (args, env) => {
  const { values, positionals } = parseOptions(args, 'token', {}, true);
  const clientOrId = requireClient(positionals, 'NAME-OR-ID');
  const { id, client } = await revokeToken(tableOf(await connect(values, env)), clientOrId);
  return {
    // Quotes ids and clients, because in the table they can contain any characters, even line breaks.
    stdout: `Revoked the token ${JSON.stringify(id)} of the client ${JSON.stringify(client)}.`,
    stderr:
      `API Gateway may still accept the token for up to ${OPTIONS.authorizerCacheSeconds.default} seconds or, if the ` +
      'stack sets authorizerCacheSeconds, for up to that many.',
  };
};

export const rotate: Command = async (args, env) => {
  const options = { expires: { type: 'string' }, overlap: { type: 'string' } } as const;
  const { values, positionals } = parseOptions(args, 'token', options, true);
  const client = requireClient(positionals, 'NAME');
  const lifetimeSeconds = lifetimeOf(values.expires);
  const overlapSeconds = overlapOf(values.overlap);
  const table = tableOf(await connect(values, env));
  const { successor, replaced } = await rotateTokens(
    table,
    { client, lifetimeSeconds },
    overlapSeconds,
  );
  const old = replaced.map(
    ({ id, expiresAt }) => `${JSON.stringify(id)} (expires ${isoTime(expiresAt)})`,
  );
  return {
    stdout: successor.token,
    stderr: `${issuedNote(successor.record)} Old tokens: ${old.join(', ')}.`,
  };
};

function issuedNote({ id, client, expiresAt }: TokenRecord): string {
  const expiry =
    expiresAt === undefined
      ? 'never expires.'
      : `expires ${isoTime(expiresAt)}, and nobody is warned: put this into a calendar.`;
  return `Issued the token ${id} to ${client}; it will not be shown again. It ${expiry}`;
}

/** Everything about a token except its hash. Times are in ISO 8601; `expiresAt` is null if the token never expires. */
function jsonOf({ id, client, issuedAt, expiresAt }: TokenRecord): string {
  const expiry = expiresAt === undefined ? null : isoTime(expiresAt);
  return JSON.stringify({ id, client, issuedAt: isoTime(issuedAt), expiresAt: expiry });
}

function isoTime(seconds: number): string {
  return new Date(seconds * 1000).toISOString().replace('.000Z', 'Z');
}
