import { beforeAll, describe, expect, test } from '@jest/globals';
import {
  type CodeBlock,
  codeBlocks,
  documents,
  read,
  tableRows,
} from '../../support/pages/code-blocks.ts';
import {
  type ScriptedResponse,
  startScriptedServer,
} from '../../support/servers/scripted-server.ts';
import { type Service, startTestService } from '../../support/service/service.ts';
import { storedPlant } from '../plants.ts';
import { resultOf, runSnippet, runWithFailures } from './run-snippet.ts';

// ../python/ runs the Python snippets, because npm does not install Python. The other tests here compile the TypeScript
// snippets.
const snippets = documents
  .flatMap(codeBlocks)
  .filter(({ language, output }) => ['sh', 'js', 'ts'].includes(language) && output !== undefined);

/** The snippets that a client can copy: unlike the README's request, they retry. */
const clients = snippets.filter(({ at }) => at.startsWith('docs/api.md'));

let service: Service;
beforeAll(async () => {
  service = await startTestService();
});

describe('a code snippet from the docs, run against the emulator,', () => {
  test.each(snippets)(
    'prints the output that the page shows and stores the exact id: $at ($language)',
    async (snippet) => {
      const printed = await runSnippet(snippet, {
        BASE_URL: service.emulator.url,
        ACCESS_TOKEN: service.token,
      });
      expect(printed).toBe(snippet.output?.trim());
      if (!snippet.code.includes('9007199254740993')) return;
      await expect(storedPlant(service, 9007199254740993n)).resolves.toMatchObject({
        name: 'Ficus',
      });
    },
  );

  test.each(clients)(
    'prints the same output after a truncated response and an error 1500: $at ($language)',
    async (snippet) => {
      expect(await runWithFailures(snippet)).toBe(snippet.output?.trim());
    },
  );

  test.each(clients)(
    'fails if every response is a 200 with a login page: $at ($language)',
    async (snippet) => {
      const headers = { 'Content-Type': 'text/html' };
      const body = '<!doctype html>\n<title>Sign in</title>\n<script>x = {"name":"a"}</script>';
      await expectFailure(snippet, { status: 200, headers, body });
    },
  );

  test.each(clients)('fails if a response never ends: $at ($language)', async (snippet) => {
    let megabytes = 0;
    const body = function* () {
      for (; megabytes < 1_000; megabytes += 1) yield Buffer.alloc(1_000_000, 'x');
    };
    await expectFailure(snippet, { status: 200, body });
    expect(megabytes).toBeLessThan(100);
  });
});

async function expectFailure(snippet: CodeBlock, response: ScriptedResponse): Promise<void> {
  const server = await startScriptedServer(response);
  const environment = { BASE_URL: server.url, ACCESS_TOKEN: 'token' };
  const { code, stdout } = await resultOf(snippet, environment);
  expect({ succeeded: code === 0, stdout }).toEqual({ succeeded: false, stdout: '' });
}

test('docs/api.md lists every field of NewPlant as required or optional, as openapi.json does', () => {
  const rows = tableRows('docs/api.md').filter(({ field }) => field !== undefined);
  const listed = rows.map(({ field, '': need }) => [
    field,
    /^(?:required|optional)/.exec(need ?? '')?.[0],
  ]);

  const { required, properties } = JSON.parse(read('openapi.json')).components.schemas.NewPlant;
  const fields = Object.keys(properties).map((name) => [
    `\`${name}\``,
    required.includes(name) ? 'required' : 'optional',
  ]);
  expect(listed.sort()).toEqual(fields.sort());
});
