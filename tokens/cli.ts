import { parseArgs } from 'node:util';
import type { Command } from './command.ts';
import { commandLine } from './command-line.ts';
import { issueCommand } from './commands/issue.ts';
import { listCommand } from './commands/list.ts';
import { revokeCommand } from './commands/revoke.ts';
import { rotateCommand } from './commands/rotate.ts';
import { WHERE, whereOptions } from './commands/where.ts';
import { connect, type Target } from './connect.ts';
import { NoSuchTokenError } from './live-tokens.ts';
import { OperatorError } from './operator-error.ts';

const commands = new Map<string, Command>([
  ['issue', issueCommand],
  ['list', listCommand],
  ['revoke', revokeCommand],
  ['rotate', rotateCommand],
]);

const OVERVIEW = `Manages the access tokens of Plant Store.

${[...commands.values()].map(({ synopsis }) => `  npm run token -- ${synopsis}`).join('\n')}

NAME is the client that has the token. Each command explains itself with --help.

${WHERE}`;

/** What is to be printed. */
export interface Output {
  readonly stdout: string;
  readonly stderr?: string | undefined;
}

/**
 * Does what the operator typed.
 *
 * @param args what follows `token` on the command line
 * @throws OperatorError, or what AWS threw
 */
export async function run(args: readonly string[], env: NodeJS.ProcessEnv): Promise<Output> {
  const [name = '--help', ...rest] = args;
  if (name === '--help') return { stdout: OVERVIEW };
  const command = commands.get(name);
  if (command === undefined) {
    // What was typed instead isn't repeated: it may be a token.
    throw new OperatorError(
      `that is no command: say ${[...commands.keys()].join(', ')} first (npm run token -- --help explains them)`,
    );
  }
  const { values, positionals } = parse(rest, name, command);
  if (values.help) return { stdout: helpOf(command) };
  if (positionals.length > 1) throw new OperatorError(`${name} takes one NAME: quote it if it has spaces`);

  const option = (key: string) =>
    Object.entries(values)
      .find(([found]) => found === key)?.[1]
      ?.toString();
  const { text, note, json } = await command
    .run({ argument: positionals[0], option }, () => connect(values, env))
    .catch((error: unknown) => {
      throw withTheListCommand(error, values, env);
    });
  return values.json ? { stdout: JSON.stringify(json, null, 2) } : { stdout: text, stderr: note };
}

function helpOf({ synopsis, usage }: Command): string {
  return `npm run token -- ${synopsis} [--local | --stage STAGE] [--json]\n\n${usage}`;
}

function withTheListCommand(error: unknown, target: Target, env: NodeJS.ProcessEnv): unknown {
  if (!(error instanceof NoSuchTokenError)) return error;
  return new OperatorError(
    `${error.message}: ${commandLine('list', target, env)} shows those that there are`,
  );
}

function parse(args: readonly string[], name: string, command: Command) {
  const options = { ...command.options, ...whereOptions };
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    // "Unknown option '--x'. To specify …", of which some is on further lines.
    const wrong = error instanceof Error ? error.message.replace(/\.\s.*/s, '') : String(error);
    const known = Object.keys(options).map((option) => `--${option}`);
    throw new OperatorError(`${wrong}: the options of ${name} are ${known.join(', ')}`);
  }
}
