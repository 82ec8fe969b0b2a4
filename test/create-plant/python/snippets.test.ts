import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { codeBlocks, documents } from '../../support/pages/code-blocks.ts';
import {
  type StartedService,
  startFromCommandLine,
} from '../../support/project/started-service.ts';
import { runSnippet, startUnreliableFront } from '../client/run-snippet.ts';

const snippets = documents.flatMap(codeBlocks).filter(({ language }) => language === 'python');

let service: StartedService;
beforeAll(async () => {
  service = await startFromCommandLine();
});
afterAll(async () => {
  await service.stop();
});

describe.each(snippets)('$at', (snippet) => {
  test('prints the documented output', async () => {
    const printed = await runSnippet(snippet, {
      BASE_URL: service.url,
      ACCESS_TOKEN: service.token,
    });
    expect(printed).toBe(snippet.output?.trim());
  });

  test('prints the same output after a truncated response and an error 1500', async () => {
    const front = await startUnreliableFront(service.url);
    const environment = { BASE_URL: front.url, ACCESS_TOKEN: service.token };
    const printed = await runSnippet(snippet, environment).finally(front.stop);
    expect(printed).toBe(snippet.output?.trim());
  });
});
