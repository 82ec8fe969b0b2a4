import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { type CodeBlock, PROJECT } from './code-blocks.ts';

const interpreters: Readonly<Record<string, readonly string[]>> = {
  sh: ['sh'],
  js: [process.execPath, '--input-type=module'],
  ts: [process.execPath, '--input-type=module-typescript'],
  python: ['python3', '-'],
};

/**
 * Runs a snippet in the root of the repository, as a reader would, and returns its trimmed stdout.
 *
 * @throws Error with the snippet's stderr if it exits with another status than 0
 */
export async function runSnippet(
  { language, code, at }: CodeBlock,
  environment: { readonly BASE_URL: string; readonly ACCESS_TOKEN: string },
): Promise<string> {
  const [command = '', ...args] = interpreters[language] ?? [];
  const child = spawn(command, args, { cwd: PROJECT, env: { ...process.env, ...environment } });
  const ended = new Promise((resolve, reject) => child.once('error', reject).once('close', resolve));
  child.stdin.end(code);
  const [stdout, stderr, status] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  if (status !== 0) throw new Error(`${at} exited with ${status}:\n${stderr}`);
  return stdout.trim();
}
