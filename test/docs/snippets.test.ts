import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import ts from 'typescript';
import { RETRYABLE_ERRORS } from '../../client/retrying-fetch.ts';
import { codeBlocks, documents, PROJECT } from '../support/code-blocks.ts';
import { runSnippet } from '../support/run-snippet.ts';
import { type Service, startService } from '../support/service.ts';
import { startUnreliableFront, type UnreliableFront } from '../support/unreliable-front.ts';

// Python is not installed by npm: test/python runs its snippets.
const snippets = documents
  .flatMap(codeBlocks)
  .filter(({ language, output }) => ['sh', 'js', 'ts'].includes(language) && output !== undefined);

let service: Service;
let front: UnreliableFront;
beforeAll(async () => {
  service = await startService();
  front = await startUnreliableFront(service.stage.url);
});
afterAll(async () => {
  await front.stop();
  await service.stop();
});

describe('a snippet prints what the page says', () => {
  test.each(snippets)('$at ($language)', async (snippet) => {
    const printed = await runSnippet(snippet, { BASE_URL: service.stage.url, ACCESS_TOKEN: service.token });
    expect(printed).toBe(snippet.output?.trim());
  });

  test('and so they have stored the plant under the very id', async () => {
    await expect(service.stored(9007199254740993n)).resolves.toMatchObject({ name: 'Ficus' });
    await expect(service.stored(9007199254740992n)).resolves.toMatchObject({ name: 'Oak' });
  });
});

describe('a snippet that says it repeats prints the same when every first answer is lost and the second is 1500', () => {
  const repeating = snippets.filter(({ code }) => /1500|client\/plant-store/.test(code));
  test.each(repeating)(
    '$at ($language)',
    async (snippet) => {
      const printed = await runSnippet(snippet, { BASE_URL: front.url, ACCESS_TOKEN: service.token });
      expect(printed).toBe(snippet.output?.trim());
    },
    30_000,
  );
});

test('what is repeated is what docs/errors.md says to repeat', () => {
  const errors = readFileSync(join(PROJECT, 'docs/errors.md'), 'utf8');
  const rows = [...errors.matchAll(/^\| (\d{4}) \|.*\| repeats [^|]*\|$/gm)];
  const numbers = rows.map(([, number]) => Number(number));
  const lists = snippets.flatMap(({ code }) => /RETRYABLE_ERRORS = [[{]0, ([\d, ]+)/.exec(code)?.[1] ?? []);

  expect(RETRYABLE_ERRORS).toEqual(numbers);
  for (const list of lists) expect(list).toBe(numbers.join(', '));
});

test.each(snippets.filter(({ language }) => language === 'ts'))(
  '$at compiles, and not where its id is a number',
  ({ code }) => {
    expect(compilationErrors(code)).toEqual([]);
    expect(compilationErrors(code.replaceAll(/id: (\d+)n/g, 'id: $1'))).toContain(
      "Type 'number' is not assignable to type 'bigint'.",
    );
  },
  30_000,
);

function compilationErrors(code: string): string[] {
  const file = join(PROJECT, 'snippet.ts');
  const { config } = ts.readConfigFile(join(PROJECT, 'tsconfig.json'), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent({ ...config, include: [] }, ts.sys, PROJECT);
  const host = ts.createCompilerHost(options);
  const { getSourceFile } = host;
  host.getSourceFile = (name, ...rest) =>
    name === file ? ts.createSourceFile(name, code, ts.ScriptTarget.ES2024) : getSourceFile(name, ...rest);
  const program = ts.createProgram([file], { ...options, module: ts.ModuleKind.NodeNext }, host);
  return ts
    .getPreEmitDiagnostics(program)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
}
