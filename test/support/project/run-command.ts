import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect } from '@jest/globals';

export interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the same command as `npm run token -- …`, but without access to the developer's AWS account. */
export function token(args: readonly string[], env: Record<string, string> = {}): Promise<Outcome> {
  return runScript('token', args, env);
}

/** Runs a script from `bin/`, without access to the developer's AWS account. */
export function runScript(
  name: string,
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<Outcome> {
  return outcomeOf(command(name, args, env));
}

/** Starts a script from `bin/`. */
export function command(name: string, args: readonly string[], env: Record<string, string>) {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const common = {
    PATH,
    NODE_COMPILE_CACHE,
    HOME: '/nonexistent',
    AWS_EC2_METADATA_DISABLED: 'true',
  };
  return spawn(process.execPath, [join(import.meta.dirname, `../../../bin/${name}.ts`), ...args], {
    env: { ...common, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

export async function outcomeOf(running: ReturnType<typeof command>): Promise<Outcome> {
  const [stdout, stderr, [code]] = await Promise.all([
    text(running.stdout),
    text(running.stderr),
    once(running, 'close'),
  ]);
  return { code, stdout, stderr };
}

/** Runs a token command that must succeed, and returns its output. */
export async function succeed(
  args: readonly string[],
  env: Record<string, string>,
): Promise<string> {
  const { code, stdout, stderr } = await token(args, env);
  expect([code, stderr.includes('token:')]).toEqual([0, false]);
  return stdout.trimEnd();
}

/** Runs a token command that must fail with one line on stderr and nothing on stdout, and returns the line. */
export async function fail(
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<string> {
  const { code, stdout, stderr } = await token(args, env);
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(/^token: [^\n]+\n$/);
  return stderr.trimEnd();
}
