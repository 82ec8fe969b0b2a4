import { PROD } from '../../lib/names.ts';
import { parseOptions } from '../operator/options.ts';
import { gatewayError } from './expectation.ts';
import { FIRST_ID, LAST_ID, SMALLEST_IDS } from './ids.ts';
import { waitUntilReady } from './ready.ts';
import { reportOf } from './report.ts';
import { JSON_TYPE } from './row.ts';
import { subjects } from './rows/index.ts';
import { LARGEST_ID } from './rows/plants.ts';
import { runRows } from './run.ts';
import { withTarget } from './target.ts';

export const ID_RANGE = [`ids from ${FIRST_ID} to ${LAST_ID}`, ...SMALLEST_IDS].join(', and the id ');

export const usage = `npm run conformance -- (--stage STAGE | --local | --url URL)

Compares a running service with its contract and with recordings (published records of AWS's real responses).
Also sends requests for which there is no recording (open questions), and prints the responses. Exits with status 1 if
a settled behavior (one with a known response) differs. The output contains no token, API id or account id.

  --stage STAGE  a deployed stage, with your AWS credentials and region; issues a token and revokes it
  --local        the emulator on this machine (npm start); issues a token and revokes it
  --url URL      any base URL; the variable ACCESS_TOKEN must contain the token
  --help         print this text

The command leaves plants behind: ${ID_RANGE}.
With --stage, it first waits until the API responds consistently. With --stage ${PROD}, it sends only requests that do
not count toward an alarm, and leaves behind only the plant with the id ${LAST_ID}.`;

const WITHOUT_TOKEN = { name: 'no token', request: { headers: [JSON_TYPE] }, expected: gatewayError(401) };

export interface CommandOptions {
  readonly env: NodeJS.ProcessEnv;
  /** Aborting this signal ends the run early. */
  readonly signal: AbortSignal;
  /** Replaces the previous progress line; without an argument, removes it. */
  readonly showProgress?: (line?: string) => void;
}

/**
 * Runs the command.
 *
 * @param args the arguments that follow `conformance` on the command line
 * @returns whether every settled behavior is as expected, and the text to print
 * @throws UserError if the operator can fix the failure; otherwise, the error from the AWS SDK or the socket
 */
export async function run(
  args: readonly string[],
  { env, signal, showProgress }: CommandOptions,
): Promise<{ readonly conforms: boolean; readonly text: string }> {
  const { values } = parseOptions(args, 'conformance', { url: { type: 'string' } });
  if (values.help) return { conforms: true, text: usage };
  const isProd = values.stage === PROD;
  const rows = subjects.flatMap((subject) => subject.rows).filter(({ inProd }) => inProd || !isProd);
  return withTarget(values, env, async (target) => {
    // In prod, rejected requests could raise the alarm AuthorizeClientErrors.
    const early = isProd ? LARGEST_ID : WITHOUT_TOKEN;
    if (values.stage !== undefined) await waitUntilReady(early, { ...target, signal });
    const results = await runRows(rows, { ...target, signal }, (done, { name }) =>
      showProgress?.(`${done + 1}/${rows.length} ${name}`),
    ).finally(() => showProgress?.());
    const conforms = results.every(({ verdict }) => verdict !== 'differs');
    return { conforms, text: reportOf(target, isProd ? `id ${LAST_ID}` : ID_RANGE, subjects, results) };
  });
}
