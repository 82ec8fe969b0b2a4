import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { PROJECT } from '../pages/code-blocks.ts';

export interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a script from `bin/`, without access to the developer's AWS account. */
export function runScript(
  name: string,
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<Outcome> {
  return outcomeOf(command(name, args, env));
}

export function command(name: string, args: readonly string[], env: Record<string, string>) {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const common = {
    PATH,
    NODE_COMPILE_CACHE,
    HOME: '/nonexistent',
    AWS_EC2_METADATA_DISABLED: 'true',
  };
  return spawn(process.execPath, [join(PROJECT, `bin/${name}.ts`), ...args], {
    env: { ...common, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

type Running = ChildProcess & { readonly stdout: Readable; readonly stderr: Readable };

export async function outcomeOf(running: Running): Promise<Outcome> {
  const [stdout, stderr, [code]] = await Promise.all([
    text(running.stdout),
    text(running.stderr),
    once(running, 'close'),
  ]);
  return { code, stdout, stderr };
}
