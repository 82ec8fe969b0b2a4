import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { type CodeBlock, PROJECT } from '../../support/code-blocks.ts';

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

export interface SnippetResult {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a snippet in the root of the repository, as a reader would, but `sleep` in a shell script returns at once. */
export async function resultOf(
  { language, code }: CodeBlock,
  environment: SnippetEnvironment,
): Promise<SnippetResult> {
  const [command = '', ...args] = interpreters[language] ?? [];
  const child = spawn(command, args, { cwd: PROJECT, env: { ...process.env, ...environment } });
  const ended = new Promise<number | null>((resolve, reject) =>
    child.once('error', reject).once('close', resolve),
  );
  child.stdin.end(language === 'sh' ? `sleep() { :; }\n${code}` : code);
  const [stdout, stderr, exitCode] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { stdout, stderr, exitCode };
}

/**
 * Runs a snippet and returns its trimmed stdout.
 *
 * @throws Error with the snippet's stderr if its exit status is not 0
 */
export async function runSnippet(snippet: CodeBlock, environment: SnippetEnvironment): Promise<string> {
  const { exitCode, stdout, stderr } = await resultOf(snippet, environment);
  if (exitCode !== 0) throw new Error(`${snippet.at} exited with ${exitCode}:\n${stderr}`);
  return stdout.trim();
}
