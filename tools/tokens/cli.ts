import { commandLine, parseArguments, type Target } from './arguments.ts';
import { type Command, commands, commonUsage } from './commands.ts';
import { findService } from './connect.ts';
import { escaped, NoSuchTokenError, OperatorError } from './errors.ts';

const overview = `Manages the access tokens of Plant Store.

${[...commands.values()].map(({ synopsis }) => `  npm run token -- ${synopsis}`).join('\n')}

NAME is the client that has the token. Every command explains itself with --help.

${commonUsage}`;

export interface Output {
  readonly stdout: string;
  readonly stderr?: string;
}

/**
 * Runs a token command.
 *
 * @param args what follows `token` on the command line
 * @throws OperatorError if the operator can fix the failure, or the error of the AWS SDK
 */
export async function run(args: readonly string[], env: NodeJS.ProcessEnv): Promise<Output> {
  const [name = '--help', ...rest] = args;
  if (name === '--help') return { stdout: overview };
  const command = commands.get(name);
  // The message does not repeat the argument, because it may be a token.
  if (command === undefined) {
    throw new OperatorError('unknown command; expected issue, list, revoke or rotate');
  }
  const { values, positionals } = parseArguments(rest, name, command.options);
  if (values.help) return { stdout: helpOf(command) };
  if (positionals.length > 1) {
    throw new OperatorError(`${name} accepts one NAME; quote it if it contains spaces`);
  }
  const { expires, overlap } = values;
  const warnings: string[] = [];
  const warn = (message: string) => warnings.push(`warning: ${message}`);
  const { text, note, json } = await command
    .run(
      { name: positionals[0], expires, overlap },
      async () => (await findService(values, env, warn)).tokens,
    )
    .catch((error: unknown) => {
      throw suggestList(error, values, env);
    });
  if (values.json) return output(JSON.stringify(json, null, 2), warnings);
  return output(text, [...(note === undefined ? [] : [note]), ...warnings]);
}

function output(stdout: string, messages: readonly string[]): Output {
  return { stdout: escaped(stdout), stderr: escaped(messages.join('\n')) };
}

function helpOf({ synopsis, usage }: Command): string {
  return `npm run token -- ${synopsis} [--local | --stage STAGE] [--json]\n\n${usage}`;
}

function suggestList(error: unknown, target: Target, env: NodeJS.ProcessEnv): unknown {
  if (!(error instanceof NoSuchTokenError)) return error;
  return new OperatorError(`${error.message}; list them with: ${commandLine('list', target, env)}`);
}
