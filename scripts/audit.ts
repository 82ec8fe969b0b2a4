/**
 * `npm run audit`: fails if a deployed package has a known vulnerability of high or critical severity. If the
 * registry has no audit endpoint, as many mirrors do not, nothing was checked: it says so and, in CI, fails unless
 * UNAUDITED_BECAUSE has the reason why that is accepted.
 */
import { spawnSync } from 'node:child_process';

const { stdout } = spawnSync('npm', ['audit', '--json', '--omit=dev'], {
  encoding: 'utf8',
  shell: process.platform === 'win32',
});
const counts = countsIn(stdout);
const { CI, UNAUDITED_BECAUSE: reason } = process.env;

if (counts === undefined) {
  console.error(
    `NOT AUDITED: this registry has no audit endpoint; use --registry=https://registry.npmjs.org${reason ? ` (accepted: ${reason})` : ''}`,
  );
  if (CI && !reason) process.exitCode = 1;
} else if (counts.high + counts.critical > 0) {
  console.error(
    `${counts.high} high and ${counts.critical} critical vulnerabilities: run npm audit --omit=dev for details`,
  );
  process.exitCode = 1;
} else {
  console.log(`Audited: no ${counts.total === 0 ? '' : 'high or critical '}vulnerabilities are known.`);
}

/** @returns undefined if npm reported an error instead of counts */
function countsIn(output: string): Record<'high' | 'critical' | 'total', number> | undefined {
  try {
    return JSON.parse(output).metadata?.vulnerabilities;
  } catch {
    return undefined;
  }
}
