import { escaped } from '../json.ts';
import { explainFailure, UserError } from './failures.ts';

/**
 * Runs a command. If it throws an error that the operator can fix, prints the error to stderr and sets exit code 1. An
 * empty AWS_REGION counts as unset, so that the AWS SDK uses the profile's region.
 */
export async function runCommand(name: string, work: () => Promise<void>): Promise<void> {
  if (process.env.AWS_REGION === '') delete process.env.AWS_REGION;
  await work().catch((error) => reportFailure(error, `${name}: `));
}

/**
 * Prints an error that the operator can fix, and sets exit code 1.
 *
 * @throws the error if it is a bug in the command
 */
export function reportFailure(error: unknown, prefix = ''): void {
  const explanation = explainFailure(error);
  if (explanation === undefined) throw error;
  console.error(prefix + escaped(explanation));
  process.exitCode = 1;
}

/**
 * Returns a signal that is aborted on Ctrl-C, on SIGTERM or when the terminal is closed, so that a command can still
 * revoke its token. A second Ctrl-C ends the process at once.
 */
export function interruptSignal(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.once(signal, () => controller.abort(new UserError('interrupted')));
  }
  return controller.signal;
}
