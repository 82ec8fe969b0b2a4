import { FIRST_ID, LAST_ID, LEAST_ID } from './ids.ts';
import type { Subject } from './row.ts';
import type { Result, Verdict } from './run.ts';

export interface Report {
  readonly url: string;
  readonly summary: Readonly<Record<Verdict, number>>;
  readonly plantsLeft: string;
  readonly subjects: readonly { readonly title: string; readonly results: readonly Result[] }[];
}

export function reportOf(url: string, subjects: readonly Subject[], results: readonly Result[]): Report {
  const count = (verdict: Verdict) => results.filter((result) => result.verdict === verdict).length;
  const named = new Map(results.map((result) => [result.name, result]));
  return {
    url,
    summary: {
      same: count('same'),
      differs: count('differs'),
      seen: count('seen'),
      unforeseen: count('unforeseen'),
      'needs a deployment': count('needs a deployment'),
      'by hand': count('by hand'),
    },
    plantsLeft: `under ids from ${FIRST_ID} to ${LAST_ID}, and ${LEAST_ID}`,
    subjects: subjects.map(({ title, rows }) => ({
      title,
      results: rows.flatMap(({ name }) => named.get(name) ?? []),
    })),
  };
}

export function textOf({ url, summary, plantsLeft, subjects }: Report): string {
  const sections = subjects.map(({ title, results }) => [title, ...results.map(linesOf)].join('\n'));
  const counts = `${summary.same} same, ${summary.differs} differ. Open questions: ${summary.seen} seen, \
${summary.unforeseen} unforeseen, ${summary['needs a deployment']} need a deployment, ${summary['by hand']} by hand.`;
  return [`Conformance of ${url}`, ...sections, `${counts}\nIt left plants ${plantsLeft}.`].join('\n\n');
}

const WIDTH = 'unforeseen'.length + 2;

function linesOf({ name, verdict, received, expected, means, source }: Result): string {
  const details: Readonly<Record<Verdict, readonly (readonly [string, string | undefined])[]>> = {
    same: [],
    differs: [
      ['expected', expected],
      ['received', received],
      ['source', source ?? 'the contract: README.md, docs/errors.md'],
    ],
    seen: [
      ['received', received],
      ['means', means],
    ],
    unforeseen: [
      ['expected', expected],
      ['received', received],
      ['to do', means],
    ],
    'needs a deployment': [],
    'by hand': [
      ['to do', expected],
      ['means', means],
    ],
  };
  const label = verdict === 'needs a deployment' ? `${name} (needs a deployment)` : name;
  const mark = verdict === 'needs a deployment' ? '-' : verdict;
  return [
    `  ${mark.padEnd(WIDTH)}${label}`,
    ...details[verdict].map(([key, value]) => `  ${' '.repeat(WIDTH)}${key}: ${value}`),
  ].join('\n');
}
