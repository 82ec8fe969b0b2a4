import { closeSync, existsSync, mkdirSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { UserError } from '@plant-store/emulator';
import { PROD } from '../../lib/names.ts';
import { parseOptions } from '../operator/options.ts';
import { PROD_ID } from './ids.ts';
import { ID_RANGE, pageOf, reportOf, textOf } from './report.ts';
import { manual, subjects } from './rows/index.ts';
import { runRows } from './run.ts';
import { withTarget } from './target.ts';

export const usage = `npm run conformance -- (--stage STAGE | --local | --url URL) [--json] [--report FILE]

Compares a running service with its contract and with recordings (published records of AWS's real responses).
Also sends requests for which there is no recording (open questions), and prints the responses. Exits with status 1 if
a settled behavior (one with a known response) differs.

  --stage STAGE  a deployed stage, with your AWS credentials and region; issues a token and revokes it
  --local        the emulator on this machine (npm start); issues a token and revokes it
  --url URL      any base URL; the variable ACCESS_TOKEN must contain the token
  --json         print JSON, for scripts: npm run --silent conformance -- … --json
  --report FILE  also write a page that you can commit: date, Region, commit and every response, but no secrets
  --help         print this text

The command leaves plants behind: ${ID_RANGE}.
With --stage, it first waits until the API responds consistently. With --stage ${PROD}, it sends only requests that do
not count toward an alarm, and leaves behind only the plant with the id ${PROD_ID}.`;

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
  const { values } = parseOptions(args, 'conformance', {
    stage: { type: 'string' },
    local: { type: 'boolean' },
    url: { type: 'string' },
    json: { type: 'boolean' },
    report: { type: 'string' },
    help: { type: 'boolean' },
  });
  if (values.help) return { conforms: true, text: usage };
  if (values.report !== undefined) assertWritable(values.report);
  const isProd = values.stage === PROD;
  const compared = subjects
    .map(({ title, rows }) => ({ title, rows: rows.filter(({ inProd }) => inProd || !isProd) }))
    .filter(({ rows }) => rows.length > 0);
  const rows = compared.flatMap((subject) => subject.rows);
  const report = await withTarget(values, env, signal, async ({ baseUrl, token }) => {
    const onProgress = (done: number, { name }: { name: string }) =>
      showProgress?.(`${done + 1}/${rows.length} ${name}`);
    const results = await runRows({ baseUrl, token, rows, signal, onProgress }).finally(() =>
      showProgress?.(),
    );
    const plantsLeft = isProd ? `id ${PROD_ID}` : ID_RANGE;
    if (!values.local) return reportOf(baseUrl.href, plantsLeft, manual, compared, results);
    // The emulator's responses prove nothing about AWS.
    const withoutAdvice = results.map(({ means: _, ...result }) => result);
    return reportOf(baseUrl.href, plantsLeft, [], compared, withoutAdvice);
  });
  if (values.report !== undefined) {
    const name = values.stage ?? (values.local ? 'the emulator' : 'a service selected with --url');
    writeFileSync(values.report, pageOf(report, name, env));
  }
  const text = values.json ? JSON.stringify(report, null, 2) : textOf(report);
  return { conforms: report.summary.differs === 0, text };
}

/** Creates the folder of the report. @throws UserError if the report cannot be written */
function assertWritable(file: string): void {
  try {
    mkdirSync(dirname(file), { recursive: true });
    const exists = existsSync(file);
    closeSync(openSync(file, 'a'));
    if (!exists) rmSync(file);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UserError(
      `cannot write the report ${file}: ${reason}; set --report to a file that you can write`,
    );
  }
}
