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

/** What `npm run token -- …` runs, with an environment of its own: nothing of the developer's AWS account. */
export async function token(args: readonly string[], env: Record<string, string> = {}): Promise<Outcome> {
  const command = spawn(process.execPath, [join(import.meta.dirname, '../../bin/token.ts'), ...args], {
    env: {
      PATH: process.env.PATH,
      HOME: '/nonexistent',
      AWS_EC2_METADATA_DISABLED: 'true',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [stdout, stderr, [code]] = await Promise.all([
    text(command.stdout),
    text(command.stderr),
    once(command, 'close'),
  ]);
  return { code, stdout, stderr };
}

/** What a token command printed that must have succeeded. */
export async function succeed(args: readonly string[], env: Record<string, string>): Promise<string> {
  const { code, stdout, stderr } = await token(args, env);
  expect([code, stderr.includes('token:')]).toEqual([0, false]);
  return stdout.trimEnd();
}

/** One clear line on stderr, nothing on stdout, and a non-zero exit. */
export async function fail(args: readonly string[], env: Record<string, string> = {}): Promise<string> {
  const { code, stdout, stderr } = await token(args, env);
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(/^token: [^\n]+\n$/);
  return stderr.trimEnd();
}
