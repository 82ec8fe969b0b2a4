import { parseOptions } from '../tokens/arguments.ts';
import { OperatorError } from '../tokens/errors.ts';
import { ID_RANGE, reportOf, textOf } from './report.ts';
import { manual, subjects } from './rows/index.ts';
import { runRows } from './run.ts';
import { withTarget } from './target.ts';

export const usage = `npm run conformance -- (--stage STAGE | --local | --url URL) [--json]

Compares a running service with its contract and with recordings of AWS, and shows what AWS does where nobody has
recorded it. Exits with status 1 if a settled behaviour differs.

  --stage STAGE  the deployed stage, with your AWS credentials and region; issues a token, and revokes it
  --local        the emulator that runs on this machine (npm start); issues a token, and revokes it
  --url URL      any base URL, with the token in ACCESS_TOKEN
  --json         print JSON, for scripts: npm run --silent conformance -- … --json
  --help         print this text

It leaves plants behind, under ${ID_RANGE}.`;

/** API Gateway responds within 29 s. */
const TIMEOUT_MS = 35_000;

export interface Io {
  readonly env: NodeJS.ProcessEnv;
  /** Ends the run early. */
  readonly signal: AbortSignal;
  readonly print: (text: string) => void;
  /** Shows a line in place of the one before; undefined removes it. */
  readonly showProgress: (line?: string) => void;
}

/**
 * Runs the command.
 *
 * @param args what follows `conformance` on the command line
 * @returns whether every settled behaviour is as expected
 * @throws OperatorError if the operator can fix the failure, or the error of the AWS SDK or the socket
 */
export async function run(
  args: readonly string[],
  { env, signal, print, showProgress }: Io,
): Promise<boolean> {
  const { values, positionals } = parseOptions(args, 'conformance', {
    stage: { type: 'string' },
    local: { type: 'boolean' },
    url: { type: 'string' },
    json: { type: 'boolean' },
    help: { type: 'boolean' },
  });
  if (positionals.length > 0) throw new OperatorError('conformance accepts only options; see --help');
  if (values.help) {
    print(usage);
    return true;
  }
  const rows = subjects.flatMap((subject) => subject.rows);
  const onProgress = (done: number, { name }: { name: string }) =>
    showProgress(`${done + 1}/${rows.length} ${name}`);
  const report = await withTarget(values, env, async (target) => {
    const results = await runRows({
      ...target,
      rows,
      timeoutMs: TIMEOUT_MS,
      signal,
      onProgress,
    }).finally(() => showProgress());
    return reportOf(target.baseUrl.href, subjects, results, manual);
  });
  // Once the token is revoked: the output can fail, such as a pipe to head.
  print(values.json ? JSON.stringify(report, null, 2) : textOf(report));
  return report.summary.differs === 0;
}
