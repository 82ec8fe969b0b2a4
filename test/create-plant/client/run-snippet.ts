import { spawn } from 'node:child_process';
import { type CodeBlock, PROJECT } from '../../support/pages/code-blocks.ts';
import { type Outcome, outcomeOf } from '../../support/project/run-command.ts';
import type { ScriptedResponse } from '../../support/servers/scripted-server.ts';

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

/** Runs a snippet in the root of the repository, as a reader would, but `sleep` in a shell script returns at once. */
export async function resultOf(
  { language, code }: CodeBlock,
  environment: SnippetEnvironment,
): Promise<Outcome> {
  const [command = '', ...args] = interpreters[language] ?? [];
  const child = spawn(command, args, { cwd: PROJECT, env: { ...process.env, ...environment } });
  child.stdin.end(language === 'sh' ? `sleep() { :; }\n${code}` : code);
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

/** A response that ends before its body is complete. */
const truncated: ScriptedResponse = {
  status: 200,
  body: function* () {
    yield Buffer.from('{"name":"F');
    throw new Error('cut off');
  },
};
// Errors have their fields in another order than the service's, because none is promised.
const failed = '{"message":"DynamoDB failed or timed out; try again","error":1500}';
const conflict = '{"message":"another plant has this id","error":1004}';
const before: readonly ScriptedResponse[] = [
  truncated,
  { status: 400, headers: { 'Retry-After': '0' }, body: failed },
];

/** The responses to the two plants of a snippet: the first two attempts for each of them fail. */
export const unreliable: readonly ScriptedResponse[] = [
  ...before,
  { status: 200, body: '{"name":"Ficus","tag":"indoor"}' },
  ...before,
  { status: 400, body: conflict },
];
