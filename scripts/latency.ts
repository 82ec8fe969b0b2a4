/** `npm run latency -- --stage STAGE`: creates plants one after the other, and prints how long the responses took. */
import { idPairs } from '../conformance/ids.ts';
import { withTarget } from '../conformance/target.ts';
import { parseOptions } from '../tokens/arguments.ts';
import { explainFailure, OperatorError } from '../tokens/errors.ts';

const REQUESTS = 100;

try {
  const { values } = parseOptions(process.argv.slice(2), 'latency', {
    stage: { type: 'string' },
    local: { type: 'boolean' },
    url: { type: 'string' },
  });
  console.log(await withTarget(values, process.env, ({ baseUrl, token }) => measure(baseUrl, token)));
} catch (error) {
  const explanation = explainFailure(error);
  if (explanation === undefined) throw error;
  console.error(`latency: ${explanation}`);
  process.exitCode = 1;
}

async function measure(baseUrl: URL, token: string): Promise<string> {
  const nextId = idPairs();
  const first = await createPlant(baseUrl, token, nextId());
  const others: number[] = [];
  while (others.length < REQUESTS) others.push(await createPlant(baseUrl, token, nextId()));
  others.sort((a, b) => a - b);
  const rows = [
    ['first request', first],
    ['median', percentile(others, 50)],
    ['95 %', percentile(others, 95)],
    ['99 %', percentile(others, 99)],
  ] as const;
  const lines = rows.map(([label, ms]) => `  ${label.padEnd(14)}${ms.toFixed(0).padStart(6)} ms`);
  return [`Latency of ${REQUESTS} requests to ${baseUrl.href}, one after the other:`, ...lines].join('\n');
}

/** @returns how long the response took, in ms */
async function createPlant(baseUrl: URL, token: string, id: bigint): Promise<number> {
  const started = performance.now();
  const response = await fetch(`${baseUrl.href.replace(/\/$/, '')}/plants`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: `{"id":${id},"name":"latency"}`,
  });
  const body = await response.text();
  if (response.status !== 200) throw new OperatorError(`expected 200, and got ${response.status}: ${body}`);
  return performance.now() - started;
}

/** The smallest value that `percent` of the sorted values do not exceed. */
function percentile(sorted: readonly number[], percent: number): number {
  return sorted[Math.ceil((sorted.length * percent) / 100) - 1] ?? Number.NaN;
}
