import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const SCRIPT = join(import.meta.dirname, '../fixtures/run-emulator.ts');

/** An emulator in a process of its own, to be killed. */
export interface EmulatorProcess {
  readonly child: ChildProcess;
  readonly url: string;
  readonly dynamodbEndpoint: string;
  /** Resolves when it has ended by SIGKILL. */
  kill(): Promise<void>;
}

export async function startEmulatorProcess(assembly: string, dataDir: string): Promise<EmulatorProcess> {
  const child = spawn(process.execPath, [SCRIPT, assembly, dataDir], { stdio: ['ignore', 'pipe', 'pipe'] });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const exited = once(child, 'close');
  const started = once(createInterface({ input: child.stdout }), 'line');
  const [line] = await Promise.race([started, exited.then(() => [undefined])]);
  if (typeof line !== 'string') throw new Error(`the emulator did not start: ${stderr}`);
  const { url, dynamodbEndpoint } = JSON.parse(line);
  const kill = async () => {
    child.kill('SIGKILL');
    await exited;
  };
  return { child, url, dynamodbEndpoint, kill };
}
