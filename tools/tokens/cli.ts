import { UserError } from '@plant-store/emulator';
import { findService } from '../operator/connect.ts';
import { escaped } from '../operator/errors.ts';
import { parseOptions } from '../operator/options.ts';
import { commands, HELP } from './commands.ts';
import { tokenStoreOf } from './token-store.ts';

export interface Output {
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs a token command.
 *
 * @param args what follows `token` on the command line
 * @throws UserError if an argument is invalid, or if the service or the token is not found; the AWS SDK's errors
 *   are not caught
 */
export async function run(args: readonly string[], env: NodeJS.ProcessEnv): Promise<Output> {
  const options = {
    expires: { type: 'string' },
    overlap: { type: 'string' },
    json: { type: 'boolean' },
  } as const;
  const { values, positionals } = parseOptions(args, 'token', options, true);
  if (values.help || args.length === 0) return { stdout: HELP, stderr: '' };
  const [commandName = '', name, ...others] = positionals;
  const command = commands.get(commandName);
  // No message repeats an argument, because it may be a token.
  if (command === undefined) {
    throw new UserError('unknown command; expected issue, list, revoke or rotate');
  }
  const { expires, overlap } = values;
  const given = Object.entries({ NAME: name, '--expires': expires, '--overlap': overlap });
  const rejected = given.find(([key, value]) => value !== undefined && !command.accepts.includes(key));
  if (rejected !== undefined) {
    throw new UserError(`${commandName} does not accept ${rejected[0]}; see npm run token -- --help`);
  }
  if (others.length > 0) {
    throw new UserError(
      `${commandName} accepts only one NAME, got ${others.length + 1}; quote a NAME that contains spaces`,
    );
  }
  const connect = async () => tokenStoreOf(await findService(values, env));
  const { text, note, warning, json } = await command.run({ name, expires, overlap }, connect);
  const stderr = [values.json ? undefined : note, warning].filter((line) => line !== undefined).join('\n');
  return { stdout: escaped(values.json ? JSON.stringify(json, null, 2) : text), stderr: escaped(stderr) };
}
