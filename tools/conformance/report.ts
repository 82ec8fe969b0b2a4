import { FIRST_ID, LAST_ID, PROD_ID } from './ids.ts';
import type { Subject } from './row.ts';
import type { Result, Verdict } from './run.ts';

export interface Report {
  readonly url: string;
  readonly summary: Readonly<Record<Verdict, number>>;
  /** The ids of the plants that may have been left behind. */
  readonly plantsLeft: string;
  readonly subjects: readonly { readonly title: string; readonly results: readonly Result[] }[];
  /** Questions that no request answers. */
  readonly manual: readonly string[];
}

export const ID_RANGE = `ids from ${FIRST_ID} to ${LAST_ID}, and ${PROD_ID}`;

export function reportOf(
  url: string,
  subjects: readonly Subject[],
  results: readonly Result[],
  manual: readonly string[],
  plantsLeft: string,
): Report {
  const count = (verdict: Verdict) => results.filter((result) => result.verdict === verdict).length;
  return {
    url,
    summary: {
      same: count('same'),
      differs: count('differs'),
      seen: count('seen'),
      unforeseen: count('unforeseen'),
      'needs a deployment': count('needs a deployment'),
    },
    plantsLeft,
    subjects: subjects.map(({ title, rows }) => ({
      title,
      results: results.filter(({ name }) => rows.some((row) => row.name === name)),
    })),
    manual,
  };
}

export function textOf({ url, summary, plantsLeft, subjects, manual }: Report): string {
  const sections = subjects.map(({ title, results }) => [title, ...results.map(linesOf)].join('\n'));
  return `Conformance of ${url}

${sections.join('\n\n')}

To be done by hand: docs/proven-in-aws.md
${manual.map((name) => `  ${name}`).join('\n')}

Settled: ${summary.same} same, ${summary.differs} differ, ${summary['needs a deployment']} need a deployment.
Open questions: ${summary.seen} seen, ${summary.unforeseen} unforeseen, ${manual.length} by hand.
Plants were left under ${plantsLeft}.`;
}

function linesOf({ name, verdict, received, expected, means, source }: Result): string {
  if (verdict === 'needs a deployment') return `  ${'-'.padEnd(12)}${name} (${verdict})`;
  const details = verdict === 'same' ? {} : { received, expected, source, means };
  const shown = Object.entries(details).filter(([, value]) => value !== undefined);
  const lines = shown.map(([key, value]) => `${' '.repeat(14)}${key}: ${value}`);
  return [`  ${verdict.padEnd(12)}${name}`, ...lines].join('\n');
}
