import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { codeBlocks, documents } from '../support/code-blocks.ts';
import { testFailures } from '../support/failing-snippet.ts';
import { runSnippet } from '../support/run-snippet.ts';
import { type StartedService, startFromCommandLine } from '../support/started-service.ts';
import { startUnreliableFront, type UnreliableFront } from '../support/unreliable-front.ts';

const snippets = documents.flatMap(codeBlocks).filter(({ language }) => language === 'python');

let service: StartedService;
let front: UnreliableFront;
beforeAll(async () => {
  service = await startFromCommandLine();
  front = await startUnreliableFront(service.url);
});
afterAll(async () => {
  await front.stop();
  await service.stop();
});

describe.each(snippets)('$at', (snippet) => {
  test('prints the documented output', async () => {
    const printed = await runSnippet(snippet, { BASE_URL: service.url, ACCESS_TOKEN: service.token });
    expect(printed).toBe(snippet.output?.trim());
  });

  test('prints the same when a connection is reset, a response cut off and a third is 1500', async () => {
    const printed = await runSnippet(snippet, { BASE_URL: front.url, ACCESS_TOKEN: service.token });
    expect(printed).toBe(snippet.output?.trim());
  });

  testFailures(snippet);
});
