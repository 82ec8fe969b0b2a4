import { parseOptions } from '../tokens/arguments.ts';
import { OperatorError } from '../tokens/errors.ts';
import { FIRST_ID, LAST_ID, LEAST_ID } from './ids.ts';
import { reportOf, textOf } from './report.ts';
import type { Subject } from './row.ts';
import { subjects as allSubjects } from './rows/index.ts';
import { runRows } from './run.ts';
import { withTarget } from './target.ts';

const usage = `npm run conformance -- (--stage STAGE | --local | --url URL) [--json]

Compares a deployed service with its contract and with recordings of AWS, and shows what AWS does where nobody has
recorded it. Exits with status 1 if a settled behaviour differs.

  --stage STAGE  the deployed stage, with your AWS credentials and region; issues a token, and revokes it
  --local        the emulator that runs on this machine (npm start); issues a token, and revokes it
  --url URL      any base URL, with a token in ACCESS_TOKEN
  --json         print JSON, for scripts: npm run --silent conformance -- …
  --help         print this text

It creates about 40 plants, which remain, under ids from ${FIRST_ID} to ${LAST_ID}
and under ${LEAST_ID}.`;

export interface Io {
  readonly env: NodeJS.ProcessEnv;
  /** Ends the run early. */
  readonly signal: AbortSignal;
  readonly print: (text: string) => void;
  /** Shows a line in place of the one before; undefined removes it. */
  readonly showProgress: (line: string | undefined) => void;
}

/**
 * Runs the command.
 *
 * @param args what follows `conformance` on the command line
 * @returns whether every settled behaviour is as expected
 * @throws OperatorError if the operator can fix the failure, or the error of the AWS SDK or the socket
 */
export async function run(args: readonly string[], io: Io, subjects = allSubjects): Promise<boolean> {
  const { values, positionals } = parseOptions(args, 'conformance', {
    stage: { type: 'string' },
    local: { type: 'boolean' },
    url: { type: 'string' },
    json: { type: 'boolean' },
    help: { type: 'boolean' },
  });
  if (positionals.length > 0) throw new OperatorError('conformance accepts only options; see --help');
  if (values.help) {
    io.print(usage);
    return true;
  }
  return withTarget(values, io.env, async (target) => {
    const results = await compare(target, subjects, io);
    const report = reportOf(target.baseUrl.href, subjects, results);
    io.print(values.json ? JSON.stringify(report, null, 2) : textOf(report));
    return report.summary.differs === 0;
  });
}

async function compare(
  target: Parameters<Parameters<typeof withTarget>[2]>[0],
  subjects: readonly Subject[],
  io: Io,
) {
  const rows = subjects.flatMap((subject) => subject.rows);
  try {
    return await runRows({
      ...target,
      rows,
      signal: io.signal,
      onProgress: (done, { name }) => io.showProgress(`${done + 1}/${rows.length} ${name}`),
    });
  } finally {
    io.showProgress(undefined);
  }
}
