import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';

const SCRIPT = join(import.meta.dirname, '../fixtures/run-emulator.ts');

/** An emulator in a separate process, for tests that kill it. */
export interface EmulatorProcess {
  readonly child: ChildProcess;
  readonly url: string;
  readonly dynamodbEndpoint: string;
  /** Resolves with everything that the process wrote to stderr, once the process has ended. */
  readonly stderr: Promise<string>;
  /** Sends SIGKILL; resolves when the process has ended. */
  kill(): Promise<void>;
}

export async function startEmulatorProcess(assembly: string, dataDir: string): Promise<EmulatorProcess> {
  const child = spawn(process.execPath, [SCRIPT, assembly, dataDir], { stdio: ['ignore', 'pipe', 'pipe'] });
  const stderr = text(child.stderr);
  const exited = once(child, 'close');
  const started = once(createInterface({ input: child.stdout }), 'line');
  const [line] = await Promise.race([started, exited.then(() => [undefined])]);
  if (typeof line !== 'string') throw new Error(`the emulator did not start: ${await stderr}`);
  const { url, dynamodbEndpoint } = JSON.parse(line);
  const kill = async () => {
    child.kill('SIGKILL');
    await exited;
  };
  return { child, url, dynamodbEndpoint, stderr, kill };
}
