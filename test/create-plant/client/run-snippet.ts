import { spawn } from 'node:child_process';
import { expect } from '@jest/globals';
import { type CodeBlock, PROJECT } from '../../support/pages/code-blocks.ts';
import { type Outcome, outcomeOf } from '../../support/project/run-command.ts';
import { startScriptedServer } from '../../support/servers/scripted-server.ts';

const interpreters: Readonly<Record<string, readonly string[]>> = {
  sh: ['sh'],
  js: [process.execPath, '--input-type=module'],
  ts: [process.execPath, '--input-type=module-typescript'],
  python: ['python3', '-'],
};

export interface SnippetEnvironment {
  readonly BASE_URL: string;
  readonly ACCESS_TOKEN: string;
}

/**
 * Runs a snippet in the root of the repository, as a reader would, but `sleep` in a shell script returns at once, and
 * a TypeScript snippet imports the client from here instead of from a copy in another repository.
 */
export async function resultOf(
  { language, code }: CodeBlock,
  environment: SnippetEnvironment,
): Promise<Outcome> {
  const [command = '', ...args] = interpreters[language] ?? [];
  const child = spawn(command, args, { cwd: PROJECT, env: { ...process.env, ...environment } });
  const here = code.replace("from './plant-store/client/", "from './client/");
  child.stdin.end(language === 'sh' ? `sleep() { :; }\n${code}` : here);
  return outcomeOf(child);
}

/**
 * Runs a snippet and returns its trimmed stdout.
 *
 * @throws Error with the snippet's stderr if its exit status is not 0
 */
export async function runSnippet(
  snippet: CodeBlock,
  environment: SnippetEnvironment,
): Promise<string> {
  const { code, stdout, stderr } = await resultOf(snippet, environment);
  if (code !== 0) throw new Error(`${snippet.at} exited with ${code}:\n${stderr}`);
  return stdout.trim();
}

/**
 * Runs a snippet against a server that cuts off its response to the first attempt at each of the two requests, and responds
 * with 1500 to the second. Its errors have their fields in another order than the service's, because none is promised.
 *
 * @returns the trimmed stdout
 */
export async function runWithFailures(snippet: CodeBlock): Promise<string> {
  const headers = { 'Content-Type': 'application/json', 'Retry-After': '0' };
  const cutOff = function* () {
    yield Buffer.from('{"name":"F');
    throw new Error('ends the connection');
  };
  const failures = [
    { status: 200, headers: { ...headers, 'Content-Length': '100' }, body: cutOff },
    { status: 400, headers, body: '{"message":"DynamoDB failed or timed out","error":1500}' },
  ];
  const server = await startScriptedServer(
    ...failures,
    { status: 200, headers, body: '{"name":"Ficus","tag":"indoor"}' },
    ...failures,
    { status: 400, headers, body: '{"message":"another plant has this id","error":1004}' },
  );
  const printed = await runSnippet(snippet, { BASE_URL: server.url, ACCESS_TOKEN: 'token' });
  const sent = server.requests.map(({ body }) => body);
  expect(sent).toEqual([0, 0, 0, 3, 3, 3].map((first) => sent[first]));
  return printed;
}
