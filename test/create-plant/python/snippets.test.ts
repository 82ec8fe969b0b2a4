import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { codeBlocks, documents } from '../../support/pages/code-blocks.ts';
import {
  type StartedService,
  startFromCommandLine,
} from '../../support/project/started-service.ts';
import { runSnippet, runWithFailures } from '../client/run-snippet.ts';

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
    expect(await runWithFailures(snippet)).toBe(snippet.output?.trim());
  });
});
