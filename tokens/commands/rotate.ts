import type { Command } from '../command.ts';
import { DURATION, parseDuration } from '../duration.ts';
import { requireName } from '../name.ts';
import { OperatorError } from '../operator-error.ts';
import { rotateTokens } from '../rotate-tokens.ts';
import { expiry, LIFETIME_SYNOPSIS, LIFETIME_USAGE, lifetimeOption } from './lifetime.ts';
import { publicFacts } from './public-facts.ts';
import { WHERE } from './where.ts';

const OVERLAP = '24h';

export const rotateCommand: Command = {
  synopsis: `rotate NAME [--overlap ${OVERLAP}] ${LIFETIME_SYNOPSIS}`,
  usage: `Issues the next token of the client NAME and prints it. Those that the client has keep working for the
overlap, so that it can change over without an outage.

  --overlap DURATION  how long the old tokens still work: 0s, 30m, 24h or 7d; ${OVERLAP} unless said otherwise
${LIFETIME_USAGE}
${WHERE}`,
  options: { overlap: { type: 'string' }, ...lifetimeOption },
  run: async (args, connect) => {
    const name = requireName(args.argument, 'NAME');
    const expiresAt = expiry(args);
    const overlapSeconds = parseDuration(args.option('overlap') ?? OVERLAP);
    if (overlapSeconds === undefined) throw new OperatorError(`--overlap takes ${DURATION}, or 0s for none`);
    const { successor, replaced } = await rotateTokens(await connect(), { name, expiresAt, overlapSeconds });
    const token = publicFacts(successor.record);
    const old = replaced.map(publicFacts);
    return {
      text: successor.text,
      note:
        `${name} has the token ${token.id}, which expires ${token.expiresAt ?? 'never'}. It is shown this once. ` +
        `Before it: ${old.map((before) => `${before.id}, which expires ${before.expiresAt}`).join('; ')}.`,
      json: { ...token, token: successor.text, replaced: old },
    };
  },
};
