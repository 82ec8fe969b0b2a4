import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import { messageOf, UserError } from './failures.ts';

const COMMON_OPTIONS = {
  local: { type: 'boolean' },
  stage: { type: 'string' },
  help: { type: 'boolean' },
} as const;

/**
 * Parses what follows `npm run COMMAND --`: the given options, and those that every command has.
 *
 * @throws UserError if an option is unknown or lacks its value, or if an argument is not allowed
 */
export function parseOptions<T extends ParseArgsOptionsConfig>(
  args: readonly string[],
  command: string,
  options: T,
  allowPositionals = false,
) {
  try {
    return parseArgs({
      args: [...args],
      options: { ...COMMON_OPTIONS, ...options },
      allowPositionals,
    });
  } catch (error) {
    // Node's messages continue with advice: "Unknown option '--x'. To specify …".
    const problem = messageOf(error).replace(/\.\s.*/s, '');
    const shown = problem.replace(/'.{32,}'/s, '(not shown, because it may be a token)');
    throw new UserError(`${shown}; see npm run ${command} -- --help`);
  }
}
