import type { Command } from '../command.ts';
import { liveTokens } from '../live-tokens.ts';
import { OperatorError } from '../operator-error.ts';
import { publicFacts } from './public-facts.ts';
import { WHERE } from './where.ts';

export const listCommand: Command = {
  synopsis: 'list',
  usage: `Lists the tokens that work: their public ids, who has them, since when and until when.

${WHERE}`,
  options: {},
  run: async ({ argument }, connect) => {
    if (argument !== undefined)
      throw new OperatorError('list takes no NAME: it lists the tokens of all clients');
    const tokens = (await liveTokens(await connect())).map(publicFacts);
    const rows = tokens.map(({ id, name, issuedAt, expiresAt }) => [
      id,
      name,
      issuedAt,
      expiresAt ?? 'never',
    ]);
    return { text: table([['ID', 'NAME', 'ISSUED', 'EXPIRES'], ...rows]), json: tokens };
  },
};

function table(rows: readonly (readonly string[])[]): string {
  const width = (column: number) => Math.max(...rows.map((row) => row[column]?.length ?? 0));
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(width(column)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
