/**
 * `npm run bench`: measures the figures of docs/performance.md. `npm run bench -- --sizes`: prints the bytes of each
 * bundle by package, and writes them into that page.
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
