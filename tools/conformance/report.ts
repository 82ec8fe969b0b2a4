import { describeExpectation } from './expectation.ts';
import { masked, type Target } from './request.ts';
import type { Subject } from './row.ts';
import type { Result, Verdict } from './run.ts';

/**
 * Returns the text to print. Responses are shown unless they are as expected.
 *
 * @param plantsLeft the ids of the plants that the run may have left behind
 * @param results the results of the subjects' rows
 */
export function reportOf(
  target: Target,
  plantsLeft: string,
  subjects: readonly Subject[],
  results: readonly Result[],
): string {
  const count = (verdict: Verdict) => results.filter((result) => result.verdict === verdict).length;
  const sections = subjects.map(({ title, rows }) => {
    const blocks = results.filter(({ row }) => rows.includes(row)).map(linesOf);
    return blocks.length > 0 ? `${[title, ...blocks].join('\n')}\n\n` : '';
  });
  const commit = target.commit === undefined ? '' : `, commit ${target.commit}`;
  return `Conformance of ${masked(target.baseUrl.href, target)}${commit}

${sections.join('')}Settled behaviors: ${count('same')} same, ${count('differs')} different, ${count('skipped')} skipped.
Open questions: ${count('open')}; their responses are above.
The run may have left plants behind: ${plantsLeft}.`;
}

function linesOf({ row: { name, expected, source = 'the contract' }, verdict, received }: Result): string {
  const details =
    verdict === 'differs' && expected !== undefined
      ? [`received: ${received}`, `expected: ${describeExpectation(expected)}`, `source: ${source}`]
      : [received].filter(() => verdict !== 'same');
  return [`  ${verdict.padEnd(9)}${name}`, ...details.map((line) => `${' '.repeat(11)}${line}`)].join('\n');
}
