import type { Command } from '../command.ts';
import { requireName } from '../name.ts';
import { revoke } from '../revoke.ts';
import { describe } from './describe.ts';
import { WHERE } from './where.ts';

export const revokeCommand: Command = {
  usage: `npm run token -- revoke NAME-OR-ID [--local | --stage STAGE] [--json]

Takes a token back. The gateway may let it through for as long as it keeps the answers of its authorizer:
a minute, unless the stack was deployed with another authorizerCacheSeconds.

${WHERE}`,
  options: {},
  run: async ({ argument }, connect) => {
    const nameOrId = requireName(argument, 'NAME-OR-ID');
    const token = describe(await revoke(await connect(), nameOrId));
    return { text: `revoked the token ${token.id} of ${token.name}`, json: token };
  },
};
