import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import ts from 'typescript';
import { codeBlocks, documents, PROJECT } from '../support/code-blocks.ts';
import { middleboxResponses } from '../support/failures.ts';
import { resultOf, runSnippet } from '../support/run-snippet.ts';
import { startScriptedServer } from '../support/scripted-server.ts';
import { type Service, startService } from '../support/service.ts';
import { startUnreliableFront } from '../support/unreliable-front.ts';

// npm does not install Python: test/python runs those snippets.
const snippets = documents
  .flatMap(codeBlocks)
  .filter(({ language, output }) => ['sh', 'js', 'ts'].includes(language) && output !== undefined);

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(async () => {
  await service.stop();
});

describe('a snippet of the docs, against the emulator', () => {
  test.each(snippets)('prints the output that the page shows: $at ($language)', async (snippet) => {
    const printed = await runSnippet(snippet, {
      BASE_URL: service.emulator.url,
      ACCESS_TOKEN: service.token,
    });
    expect(printed).toBe(snippet.output?.trim());
  });

  test('has stored its plants under their exact ids', async () => {
    for (const snippet of snippets.filter(({ code }) => code.includes('9007199254740993'))) {
      await runSnippet(snippet, { BASE_URL: service.emulator.url, ACCESS_TOKEN: service.token });
    }
    await expect(service.stored(9007199254740993n)).resolves.toMatchObject({ name: 'Ficus' });
  });

  test.each(snippets)(
    'prints the same after a cut-off response and a 1500: $at ($language)',
    async (snippet) => {
      const front = await startUnreliableFront(service.emulator.url);
      try {
        const printed = await runSnippet(snippet, { BASE_URL: front.url, ACCESS_TOKEN: service.token });
        expect(printed).toBe(snippet.output?.trim());
      } finally {
        await front.stop();
      }
    },
  );

  test.each(snippets)('fails if all it gets is a 200 with a login page: $at ($language)', async (snippet) => {
    const page = middleboxResponses.find(({ title }) => title === 'a 200 with a login page') ?? 'none';
    const server = await startScriptedServer(page);
    const { exitCode, stdout } = await resultOf(snippet, { BASE_URL: server.url, ACCESS_TOKEN: 'token' });
    await server.stop();
    expect({ succeeded: exitCode === 0, stdout }).toEqual({ succeeded: false, stdout: '' });
  });
});

test.each(snippets.filter(({ language }) => language === 'ts'))(
  '$at compiles, but not with a number as the id',
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
