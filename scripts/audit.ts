/**
 * `npm run audit`: fails where a package that is deployed has a known vulnerability of high or critical
 * severity. A registry without advisories, as many mirrors are, is said so and fails nothing.
 */
import { spawnSync } from 'node:child_process';

const { stdout } = spawnSync('npm', ['audit', '--json', '--omit=dev'], {
  encoding: 'utf8',
  shell: process.platform === 'win32',
});
const counts = JSON.parse(stdout || '{}').metadata?.vulnerabilities;

if (counts === undefined) {
  console.log(
    'Not audited: the registry does not answer npm audit. For one that does: --registry=https://registry.npmjs.org',
  );
} else if (counts.high + counts.critical > 0) {
  console.error(
    `${counts.high} high and ${counts.critical} critical vulnerabilities: npm audit --omit=dev names them`,
  );
  process.exitCode = 1;
} else {
  console.log(
    `Audited ${counts.total === 0 ? 'and nothing is known' : 'and nothing of high severity is known'}.`,
  );
}
