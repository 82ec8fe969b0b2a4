/**
 * `npm run bench`: takes the measurements in docs/performance.md. `npm run bench -- --sizes`: prints how many bytes
 * each package adds to each bundle, and updates these numbers in docs/performance.md.
 */
import { parseArgs } from 'node:util';

const { values } = parseArgs({ options: { sizes: { type: 'boolean' } } });
if (values.sizes) {
  const { documentSizes, measureSizes, tableOf } = await import('../tools/bench/sizes.ts');
  const table = tableOf(measureSizes());
  console.log(table);
  documentSizes(table);
} else {
  await import('../tools/bench/run.ts');
}
