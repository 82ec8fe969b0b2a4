import type { Command } from '../command.ts';
import { issueToken } from '../issue-token.ts';
import { requireName } from '../name.ts';
import { expiry, LIFETIME_SYNOPSIS, LIFETIME_USAGE, lifetimeOption } from './lifetime.ts';
import { publicFacts } from './public-facts.ts';
import { WHERE } from './where.ts';

export const issueCommand: Command = {
  synopsis: `issue NAME ${LIFETIME_SYNOPSIS}`,
  usage: `Issues a token to the client NAME and prints it. It is shown this once: only its hash is stored.

${LIFETIME_USAGE}
${WHERE}`,
  options: lifetimeOption,
  run: async (args, connect) => {
    const name = requireName(args.argument, 'NAME');
    const expiresAt = expiry(args);
    const { record, text } = await issueToken(await connect(), { name, expiresAt });
    const token = publicFacts(record);
    return {
      text,
      note: `${name} has the token ${token.id}, which expires ${token.expiresAt ?? 'never'}. It is shown this once.`,
      json: { ...token, token: text },
    };
  },
};
