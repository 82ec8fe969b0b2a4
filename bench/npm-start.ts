import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

export interface StartedStage {
  readonly url: string;
  readonly dynamodb: string;
  readonly token: string;
  readonly pid: number;
  readonly stop: () => Promise<void>;
}

/** Starts the emulator as `npm start` does, and reads what it prints for people. */
export async function npmStart(dataDir: string): Promise<StartedStage> {
  const stage = spawn(process.execPath, [join(import.meta.dirname, '../bin/start.ts')], {
    env: { ...process.env, PORT: '0', DYNAMODB_PORT: '0', DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(stage, 'exit');
  const said = new Map<string, string>();
  for await (const line of createInterface({ input: stage.stdout })) {
    const [, name = '', value = ''] = /^ +(Base URL|DynamoDB|Token) +(\S+)$/.exec(line) ?? [];
    said.set(name, value);
    if (said.has('Token')) break;
  }
  // What it prints from now on is its functions' log.
  stage.stdout.resume();
  const value = (name: string) => {
    const text = said.get(name);
    if (text === undefined) throw new Error(`npm start did not say its ${name}`);
    return text;
  };
  return {
    url: value('Base URL'),
    dynamodb: value('DynamoDB'),
    token: value('Token'),
    pid: stage.pid ?? 0,
    stop: async () => {
      stage.kill('SIGINT');
      await exited;
    },
  };
}
