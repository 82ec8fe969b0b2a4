import { beforeAll, expect, test } from '@jest/globals';
import type { CodeBlock } from './code-blocks.ts';
import { type Failure, longRetryAfters, proxyAuthentication, snippetFailures } from './failures.ts';
import { resultOf } from './run-snippet.ts';
import { startScriptedServer } from './scripted-server.ts';

/** How a snippet ends if a server gives it nothing but one response. */
interface Ending {
  readonly failed: boolean;
  readonly stdout: string;
  /** Whichever of the status and the start of the body stderr does not show. */
  readonly hidden: readonly string[];
  readonly requests: readonly string[];
}

/** Declares tests that a snippet ends in an error if it gets nothing but one failure. */
export function testFailures(snippet: CodeBlock): void {
  let endings: ReadonlyMap<string, Ending>;
  beforeAll(async () => {
    endings = await endingsOf(snippet, snippetFailures);
  }, 120_000);

  test.each(snippetFailures)('ends in an error that shows $title', (failure) => {
    expect(endings.get(failure.title)).toEqual(properEnding(snippet, failure));
  });
}

/** The ending of each failure, by its title. The runs are parallel, because most of their time is waiting. */
async function endingsOf(
  snippet: CodeBlock,
  failures: readonly Failure[],
): Promise<ReadonlyMap<string, Ending>> {
  const runs = failures.map(async (failure) => [failure.title, await endingOf(snippet, failure)] as const);
  return new Map(await Promise.all(runs));
}

/** The ending of a client that cannot be fooled. */
function properEnding({ code, language }: CodeBlock, failure: Failure): Ending {
  const hiddenByFetch = failure === proxyAuthentication && ['js', 'ts'].includes(language);
  const retried =
    failure.retried || hiddenByFetch || (longRetryAfters.includes(failure) && language === 'sh');
  const attempts = retries(code) && retried ? 5 : 1;
  return {
    failed: true,
    stdout: '',
    hidden: hiddenByFetch ? [startOf(failure.body)] : [],
    requests: Array.from({ length: attempts }, () => 'POST /plants'),
  };
}

/** Whether a snippet retries what is worth it. */
export function retries(code: string): boolean {
  return /1500|client\/plant-store/.test(code);
}

function startOf(body: string): string {
  return body.slice(0, 40);
}

async function endingOf(snippet: CodeBlock, failure: Failure): Promise<Ending> {
  const server = await startScriptedServer(failure);
  try {
    const environment = { BASE_URL: server.url, ACCESS_TOKEN: 'plantstore_token' };
    const { exitCode, stdout, stderr } = await resultOf(snippet, environment);
    const shown = [`${failure.status}`, startOf(failure.body)];
    return {
      failed: exitCode !== 0,
      stdout,
      hidden: shown.filter((text) => !stderr.includes(text)),
      requests: server.requests.map(({ method, path }) => `${method} ${path}`),
    };
  } finally {
    await server.stop();
  }
}
