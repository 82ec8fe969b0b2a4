import { PROD } from '../../lib/names.ts';
import { parseOptions } from '../operator/options.ts';
import { describeExpectation, gatewayError } from './expectation.ts';
import { FIRST_ID, LAST_ID, SMALLEST_IDS } from './ids.ts';
import { masked } from './request.ts';
import { JSON_TYPE } from './row.ts';
import { subjects } from './rows/index.ts';
import { LARGEST_ID } from './rows/plants.ts';
import { type Result, runRows, waitUntilReady } from './run.ts';
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
  readonly print: (text: string) => void;
}

/**
 * Runs the command. Prints each result when it is known, with the response unless it is as expected.
 *
 * @param args the arguments that follow `conformance` on the command line
 * @returns whether every settled behavior is as expected
 * @throws UserError if the operator can fix the failure; otherwise, the error from the AWS SDK or the socket
 */
export async function run(args: readonly string[], { env, signal, print }: CommandOptions): Promise<boolean> {
  const { values } = parseOptions(args, 'conformance', { url: { type: 'string' } });
  if (values.help) {
    print(usage);
    return true;
  }
  const isProd = values.stage === PROD;
  const rows = subjects.flatMap((subject) => subject.rows).filter(({ inProd }) => inProd || !isProd);
  return withTarget(values, env, async (target) => {
    const commit = target.commit === undefined ? '' : `, commit ${target.commit}`;
    print(`Conformance of ${masked(target.baseUrl.href, target)}${commit}`);
    // In prod, rejected requests could raise the alarm AuthorizeClientErrors.
    const early = isProd ? LARGEST_ID : WITHOUT_TOKEN;
    if (values.stage !== undefined) await waitUntilReady(early, { ...target, signal });
    const counts = { same: 0, differs: 0, open: 0, skipped: 0 };
    let printedTitle: string | undefined;
    for await (const result of runRows(rows, { ...target, signal })) {
      const title = subjects.find((subject) => subject.rows.includes(result.row))?.title;
      if (title !== printedTitle) print(`\n${title}`);
      printedTitle = title;
      print(linesOf(result));
      counts[result.verdict] += 1;
    }
    print(`
Settled behaviors: ${counts.same} same, ${counts.differs} different, ${counts.skipped} skipped.
Open questions: ${counts.open}; their responses are above.
The run may have left plants behind: ${isProd ? `id ${LAST_ID}` : ID_RANGE}.`);
    return counts.differs === 0;
  });
}

function linesOf({ row: { name, expected, source = 'the contract' }, verdict, received }: Result): string {
  const details =
    verdict === 'differs' && expected !== undefined
      ? [`received: ${received}`, `expected: ${describeExpectation(expected)}`, `source: ${source}`]
      : [received].filter(() => verdict !== 'same');
  return [`  ${verdict.padEnd(9)}${name}`, ...details.map((line) => `${' '.repeat(11)}${line}`)].join('\n');
}
