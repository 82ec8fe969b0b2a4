import { spawnSync } from 'node:child_process';
import { FIRST_ID, LAST_ID, PROD_ID } from './ids.ts';
import type { Subject } from './row.ts';
import type { Result, Verdict } from './run.ts';

export type Report = ReturnType<typeof reportOf>;

export const ID_RANGE = `ids from ${FIRST_ID} to ${LAST_ID}, and the id ${PROD_ID}`;

/**
 * @param url the base URL
 * @param plantsLeft the ids of the plants that the run may have left behind
 * @param manual the questions that no request can resolve
 * @param results the results of all rows of all subjects, in the same order
 */
export function reportOf(
  url: string,
  plantsLeft: string,
  manual: readonly string[],
  subjects: readonly Subject[],
  results: readonly Result[],
) {
  const summary: Record<Verdict, number> = {
    same: 0,
    differs: 0,
    foreseen: 0,
    unforeseen: 0,
    skipped: 0,
  };
  for (const { verdict } of results) summary[verdict] += 1;
  const left = [...results];
  const compared = subjects.map(({ title, rows }) => ({ title, results: left.splice(0, rows.length) }));
  return { url, summary, plantsLeft, subjects: compared, manual };
}

/** @param details whether to show the response for every row, even if it is as expected */
export function textOf({ url, summary, plantsLeft, subjects, manual }: Report, details = false): string {
  const sections = subjects.map(({ title, results }) =>
    [title, ...results.map((result) => linesOf(result, details))].join('\n'),
  );
  const byHand = ['To check by hand (see docs/verified.md)', ...manual].join('\n  ');
  return `Conformance of ${url}

${[...sections, ...(manual.length > 0 ? [byHand] : [])].join('\n\n')}

Settled behaviors: ${summary.same} same, ${summary.differs} different, ${summary.skipped} skipped.
Open questions: ${summary.foreseen} foreseen responses, ${summary.unforeseen} unforeseen, ${manual.length} to check by hand.
The run may have left plants behind: ${plantsLeft}.`;
}

function linesOf({ name, verdict, ...details }: Result, ofAll: boolean): string {
  if (verdict === 'skipped') return `  ${verdict.padEnd(12)}${name} (the base URL contains no stage)`;
  const { received, expected, source, means } = details;
  const shown =
    verdict === 'same' ? { received: ofAll ? received : undefined } : { received, expected, source, means };
  const lines = Object.entries(shown)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `${' '.repeat(14)}${key}: ${value}`);
  return [`  ${verdict.padEnd(12)}${name}`, ...lines].join('\n');
}

/** Returns a report as a Markdown page that can be committed, because it has no API address, account id or token. */
export function pageOf(report: Report, stage: string, env: NodeJS.ProcessEnv): string {
  const { host } = new URL(report.url);
  const [, region = env.AWS_REGION ?? 'unknown'] = /\.execute-api\.([\w-]+)\./.exec(host) ?? [];
  const { stdout } = spawnSync('git', ['describe', '--always', '--dirty', '--exclude=*', '--abbrev=40'], {
    cwd: import.meta.dirname,
    encoding: 'utf8',
  });
  const text = textOf(report, true)
    .replaceAll(host, '<host>')
    .replaceAll(/\b\d{12}\b/g, '<account>');
  return `# Conformance of ${stage}

| date | ${new Date().toISOString().slice(0, 10)} |
| --- | --- |
| Region | ${region} |
| checked-out commit | ${stdout?.trim() || 'unknown'} |

\`\`\`text
${text}
\`\`\`
`;
}
