import { PROD } from '../../lib/stage-names.ts';
import { parseOptions } from '../command-line/parse-options.ts';
import { masked, report, summary } from './report.ts';
import { ITEMS } from './rows/example.ts';
import { rows } from './rows/index.ts';
import { runRows, waitUntilReady } from './run-rows.ts';
import { withTarget } from './target.ts';

export const HELP = `npm run conformance -- (--stage STAGE | --local | --url URL)

Compares a running service with its contract and with recordings (published records of AWS's real responses).
Also sends requests for which there is no recording (open questions). Prints every response, without the token, the
API's id and account ids. Exits with status 1 if a settled behavior (one with a known response) differs.

  --stage STAGE  a deployed stage, with your AWS credentials and region; issues a token and revokes it
  --local        the emulator on this machine (npm start); issues a token and revokes it
  --url URL      any base URL but prod's; the variable ACCESS_TOKEN has the token

Leaves items behind: ${ITEMS}.
With --stage, it first waits until the API responds consistently. With --stage ${PROD}, it sends only requests that no
alarm counts as errors. At most one of them leaves an item behind, which the last line names.`;

/**
 * @returns whether every settled behavior is as expected
 * @throws UserError if the operator can fix the failure; otherwise, the error from the AWS SDK or the socket
 */
export async function runConformance(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
  print: (text: string) => void,
): Promise<boolean> {
  const { values } = parseOptions(args, 'conformance', { url: { type: 'string' } });
  if (values.help) {
    print(HELP);
    return true;
  }
  const isProd = values.stage === PROD;
  return withTarget(values, env, async (target, commit) => {
    const deployed = commit === undefined ? '' : `, commit ${commit}`;
    print(`Conformance of ${masked(target.baseUrl.href, target)}${deployed}\n`);
    const hasStage = target.baseUrl.pathname !== '/';
    const sent = rows.filter(
      ({ inProd, path = '<base>' }) =>
        (inProd || !isProd) && (hasStage || path.startsWith('<base>')),
    );
    const [first] = sent;
    if (values.stage !== undefined && first) await waitUntilReady(first, { ...target, signal });
    const counts = { same: 0, differs: 0, open: 0 };
    for await (const result of runRows(sent, { ...target, signal })) {
      print(report(result, target));
      counts[result.verdict] += 1;
    }
    const items = isProd ? sent.flatMap(({ item }) => item ?? []).join() || 'none' : ITEMS;
    print(summary(counts, items));
    return counts.differs === 0;
  });
}
