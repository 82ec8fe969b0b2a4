import type { Command } from '../command.ts';
import { tokenCalled } from '../live-tokens.ts';
import { requireName } from '../name.ts';
import { publicFacts } from './public-facts.ts';
import { WHERE } from './where.ts';

export const revokeCommand: Command = {
  synopsis: 'revoke NAME-OR-ID',
  usage: `Takes a token back. The gateway may let it through for as long as it keeps the answers of its authorizer:
a minute, unless the stack was deployed with another authorizerCacheSeconds.

${WHERE}`,
  options: {},
  run: async ({ argument }, connect) => {
    const nameOrId = requireName(argument, 'NAME-OR-ID');
    const store = await connect();
    const token = await tokenCalled(store, nameOrId);
    await store.remove(token.id);
    return { text: `revoked the token ${token.id} of ${token.name}`, json: publicFacts(token) };
  },
};
