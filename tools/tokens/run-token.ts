import { UserError } from '../command-line/failures.ts';
import { escaped } from '../json.ts';
import { DEFAULT_LIFETIME, DEFAULT_OVERLAP } from './arguments.ts';
import { issue, list, type Output, revoke, rotate } from './commands.ts';

const HELP = `Manages the access tokens of Plant Store.

  npm run token -- issue NAME [--expires ${DEFAULT_LIFETIME}]
      Issues a token to the client NAME and prints it. Only its hash is stored, so it cannot be shown again.

  npm run token -- list
      Lists the valid tokens as JSON lines, with their public ids, clients, issue times and expiration times.

  npm run token -- revoke NAME-OR-ID
      Revokes a token, and prints how long API Gateway may still accept it.

  npm run token -- rotate NAME [--overlap ${DEFAULT_OVERLAP}] [--expires ${DEFAULT_LIFETIME}]
      Issues a new token to the client NAME and prints it. The client's old tokens stay valid for the overlap, so that
      the client can switch without an outage.

  --expires DURATION  lifetime of the token, such as 45s, 30m, 24h, 90d or 12w, or never (default ${DEFAULT_LIFETIME})
  --overlap DURATION  how long the old tokens stay valid, such as 0s, 30m, 24h or 7d (default ${DEFAULT_OVERLAP})
  --local             use the emulator on this machine (npm start)
  --stage STAGE       use a deployed stage, with your AWS credentials and region (default dev)

In a script, use npm run --silent, because npm prints a banner to stdout.`;

const commands = new Map(Object.entries({ issue, list, revoke, rotate }));

/**
 * @throws UserError if an argument is invalid, or if the service or the token is not found; the AWS SDK's errors
 *   are not caught
 */
export async function runToken(args: readonly string[], env: NodeJS.ProcessEnv): Promise<Output> {
  const [name, ...others] = args;
  if (name === undefined || args.includes('--help')) return { stdout: HELP };
  const command = commands.get(name);
  // No message repeats an argument, because it may be a token.
  if (command === undefined) {
    throw new UserError('unknown command; expected issue, list, revoke or rotate');
  }
  const { stdout, stderr = '' } = await command(others, env);
  return { stdout: escaped(stdout), stderr: escaped(stderr) };
}
