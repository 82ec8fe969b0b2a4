import { isTokenRecord, type TokenRecord } from '../../lambda/shared/tokens/access-token.ts';
import {
  DEFAULT_LIFETIME,
  DEFAULT_OVERLAP,
  lifetimeOf,
  overlapOf,
  requireName,
  requireNewName,
} from './arguments.ts';
import type { TokenStore } from './token-store.ts';
import { issueToken, revokeToken, rotateTokens, validTokens } from './tokens.ts';

export const HELP = `Manages the access tokens of Plant Store.

  npm run token -- issue NAME [--expires ${DEFAULT_LIFETIME}]
      Issues a token to the client NAME and prints it. Only its hash is stored, so it cannot be shown again.

  npm run token -- list
      Lists the valid tokens with their public ids, clients, issue times and expiration times.

  npm run token -- revoke NAME-OR-ID
      Revokes a token. API Gateway may still accept the token for up to a minute or, if the stack sets
      authorizerCacheSeconds, for up to that many seconds.

  npm run token -- rotate NAME [--overlap ${DEFAULT_OVERLAP}] [--expires ${DEFAULT_LIFETIME}]
      Issues a new token to the client NAME and prints it. The client's old tokens stay valid for the overlap, so that
      the client can switch without an outage.

  --expires DURATION  lifetime of the token, such as 45s, 30m, 24h, 90d or 12w, or never (default ${DEFAULT_LIFETIME})
  --overlap DURATION  how long the old tokens stay valid, such as 0s, 30m, 24h or 7d (default ${DEFAULT_OVERLAP})
  --local             use the emulator on this machine (npm start)
  --stage STAGE       use a deployed stage, with your AWS credentials and region (default dev)
  --json              print JSON, for scripts: npm run --silent token -- … --json
  --help              print this text`;

export interface CommandArguments {
  /** The argument NAME or NAME-OR-ID. */
  readonly name: string | undefined;
  readonly expires?: string | undefined;
  readonly overlap?: string | undefined;
}

export interface CommandResult {
  /** Printed to stdout, for people. */
  readonly text: string;
  /** Printed to stderr, for people, so that `$(…)` captures only the text. */
  readonly note?: string;
  /** Printed to stderr, even with --json. */
  readonly warning?: string | undefined;
  /** Printed instead of the text and the note, with --json. */
  readonly json: unknown;
}

export interface Command {
  readonly accepts: readonly string[];
  /** Validates the arguments before it connects. @throws UserError if an argument is invalid */
  run(args: CommandArguments, connect: () => Promise<TokenStore>): Promise<CommandResult>;
}

const issue: Command = {
  accepts: ['NAME', '--expires'],
  run: async (args, connect) => {
    const name = requireNewName(args.name);
    const lifetimeSeconds = lifetimeOf(args.expires);
    const { record, text } = await issueToken(await connect(), { name, lifetimeSeconds });
    return { text, note: issuedNote(record), json: { ...publicFields(record), token: text } };
  },
};

const list: Command = {
  accepts: [],
  run: async (_args, connect) => {
    const items = await (await connect()).all();
    const malformed = items.filter((item) => !isTokenRecord(item)).length;
    const tokens = validTokens(items).map(publicFields);
    const rows = tokens.map(({ expiresAt, ...token }) =>
      [...Object.values(token), expiresAt ?? 'never'].map(inOneLine),
    );
    return {
      text: alignColumns([['ID', 'NAME', 'ISSUED', 'EXPIRES'], ...rows]),
      warning:
        malformed > 0
          ? `warning: malformed items skipped: ${malformed}; delete them from the tokens table in DynamoDB`
          : undefined,
      json: tokens,
    };
  },
};

const revoke: Command = {
  accepts: ['NAME'],
  run: async (args, connect) => {
    const nameOrId = requireName(args.name, 'NAME-OR-ID');
    const item = await revokeToken(await connect(), nameOrId);
    if (!isTokenRecord(item)) {
      return { text: `Deleted the item ${item.id}, which was not a token record.`, json: { id: item.id } };
    }
    return {
      text: inOneLine(`Revoked the token ${item.id} of the client ${item.name}.`),
      note:
        'API Gateway may still accept the token for up to a minute or, if the stack sets authorizerCacheSeconds, ' +
        'for up to that many seconds.',
      json: publicFields(item),
    };
  },
};

const rotate: Command = {
  accepts: ['NAME', '--overlap', '--expires'],
  run: async (args, connect) => {
    const name = requireName(args.name, 'NAME');
    const options = { name, lifetimeSeconds: lifetimeOf(args.expires) };
    const overlapSeconds = overlapOf(args.overlap);
    const { successor, replaced } = await rotateTokens(await connect(), options, overlapSeconds);
    const old = replaced.map(publicFields);
    const oldNote = old.map((token) => `${inOneLine(token.id)} (expires ${token.expiresAt})`).join(', ');
    return {
      text: successor.text,
      note: `${issuedNote(successor.record)} Old tokens: ${oldNote}.`,
      json: { ...publicFields(successor.record), token: successor.text, replaced: old },
    };
  },
};

export const commands: ReadonlyMap<string, Command> = new Map(
  Object.entries({ issue, list, revoke, rotate }),
);

function issuedNote(record: TokenRecord): string {
  const { id, name, expiresAt } = publicFields(record);
  const expiry = expiresAt === null ? 'never expires' : `expires ${expiresAt}`;
  return `Issued the token ${id} to ${name}; it ${expiry} and will not be shown again.`;
}

/** Everything about a token except its hash. Times are in ISO 8601; `expiresAt` is null if the token never expires. */
function publicFields({ id, name, issuedAt, expiresAt }: TokenRecord) {
  return {
    id,
    name,
    issuedAt: isoTime(issuedAt),
    expiresAt: expiresAt === undefined ? null : isoTime(expiresAt),
  };
}

function isoTime(seconds: number): string {
  return new Date(seconds * 1000).toISOString().replace('.000Z', 'Z');
}

/** Escapes a name, because a name in the table can contain any characters. */
function inOneLine(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

export function alignColumns(rows: readonly (readonly string[])[]): string {
  const width = (column: number) => Math.max(...rows.map((row) => row[column]?.length ?? 0));
  const line = (row: readonly string[]) => row.map((cell, column) => cell.padEnd(width(column))).join('  ');
  return rows.map((row) => line(row).trimEnd()).join('\n');
}
