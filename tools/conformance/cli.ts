import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { PROTECTED_STAGE } from '../../lib/names.ts';
import { parseOptions } from '../tokens/arguments.ts';
import { OperatorError } from '../tokens/errors.ts';
import { PROD_ID } from './ids.ts';
import { ID_RANGE, reportOf, textOf } from './report.ts';
import { pageOf } from './report-page.ts';
import { manual, subjects } from './rows/index.ts';
import { runRows } from './run.ts';
import { withTarget } from './target.ts';

export const usage = `npm run conformance -- (--stage STAGE | --local | --url URL) [--json] [--report FILE]

Compares a running service with its contract and with recordings of AWS, and shows what AWS does where nobody has
recorded it. Exits with status 1 if a settled behaviour differs.

  --stage STAGE  the deployed stage, with your AWS credentials and region; issues a token, and revokes it
  --local        the emulator that runs on this machine (npm start); issues a token, and revokes it
  --url URL      any base URL, with the token in ACCESS_TOKEN
  --json         print JSON, for scripts: npm run --silent conformance -- … --json
  --report FILE  also write a page to commit: versions, Region, date and each response, nothing secret
  --help         print this text

It leaves plants behind, under ${ID_RANGE}. With --stage it first waits until the API has settled. With
--stage ${PROTECTED_STAGE} it sends only requests that leave nothing and that no alarm counts, but for the plant ${PROD_ID}.`;

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
    report: { type: 'string' },
    help: { type: 'boolean' },
  });
  if (positionals.length > 0) throw new OperatorError('conformance accepts only options; see --help');
  if (values.help) {
    print(usage);
    return true;
  }
  const isProd = values.stage === PROTECTED_STAGE;
  const compared = subjects
    .map(({ title, rows }) => ({ title, rows: rows.filter(({ inProd }) => inProd || !isProd) }))
    .filter(({ rows }) => rows.length > 0);
  const rows = compared.flatMap((subject) => subject.rows);
  const onProgress = (done: number, { name }: { name: string }) =>
    showProgress(`${done + 1}/${rows.length} ${name}`);
  const report = await withTarget(values, env, signal, async (target) => {
    const results = await runRows({
      ...target,
      rows,
      timeoutMs: TIMEOUT_MS,
      signal,
      onProgress,
    }).finally(() => showProgress());
    return reportOf(target.baseUrl.href, compared, results, manual, isProd ? `${PROD_ID}` : ID_RANGE);
  });
  // Once the token is revoked: the output can fail, such as a pipe to head.
  print(values.json ? JSON.stringify(report, null, 2) : textOf(report));
  if (values.report !== undefined) {
    const name = values.stage ?? (values.local ? 'the emulator' : 'a base URL');
    mkdirSync(dirname(values.report), { recursive: true });
    writeFileSync(values.report, pageOf(report, name, env));
  }
  return report.summary.differs === 0;
}
