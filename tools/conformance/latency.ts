import { parseOptions } from '../tokens/arguments.ts';
import { OperatorError } from '../tokens/errors.ts';
import { abortedOnInterrupt } from '../tokens/run-command.ts';
import { created, meets } from './expectation.ts';
import { exchange } from './http-client.ts';
import { idPairs } from './ids.ts';
import { requestBytes } from './request.ts';
import { withTarget } from './target.ts';
import { type Tokens, tokensOf } from './token.ts';

const REQUESTS = 100;
/** API Gateway responds within 29 s. */
const TIMEOUT_MS = 35_000;
const REQUEST = { body: '{"id":<id>,"name":"latency"}' };
const EXPECTED = created('latency');

/**
 * Creates plants one after the other, and prints how long the responses took.
 * @throws OperatorError if a response is not that of a created plant
 */
export async function latency(): Promise<void> {
  const { values } = parseOptions(process.argv.slice(2), 'latency', {
    stage: { type: 'string' },
    local: { type: 'boolean' },
    url: { type: 'string' },
  });
  const interrupted = abortedOnInterrupt();
  const measured = await withTarget(values, process.env, ({ baseUrl, token }) =>
    measure(baseUrl, tokensOf(token), interrupted),
  );
  console.log(measured);
}

async function measure(baseUrl: URL, tokens: Tokens, signal: AbortSignal): Promise<string> {
  const nextId = idPairs();
  /** @returns how long the response took, in ms */
  const createPlant = async (): Promise<number> => {
    const request = requestBytes(REQUEST, { ...tokens, baseUrl, id: nextId() });
    const response = await exchange(baseUrl, request, signal, TIMEOUT_MS);
    if (typeof response === 'string') throw new OperatorError(response);
    // Nothing else of the response is printed: it may repeat the token.
    if (!meets(response, EXPECTED)) {
      throw new OperatorError(`expected 200 and the plant, got ${response.status}; run npm run conformance`);
    }
    return response.durationMs;
  };
  const first = await createPlant();
  const others: number[] = [];
  while (others.length < REQUESTS) others.push(await createPlant());
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

/** The smallest value that `percent` of the sorted values do not exceed. */
function percentile(sorted: readonly number[], percent: number): number {
  return sorted[Math.ceil((sorted.length * percent) / 100) - 1] ?? Number.NaN;
}
