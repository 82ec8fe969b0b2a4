import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** `npm start` in a process of its own, on free ports and with no data. */
export interface StartedService {
  readonly url: string;
  readonly token: string;
  /** All that it has printed so far, to stdout. */
  readonly printed: () => string;
  stop(): Promise<void>;
}

export async function startFromCommandLine(env: NodeJS.ProcessEnv = {}): Promise<StartedService> {
  const dataDir = await mkdtemp(join(tmpdir(), 'plant-store-data-'));
  const command = spawn(process.execPath, ['bin/start.ts'], {
    cwd: join(import.meta.dirname, '../..'),
    env: { ...process.env, ...env, PORT: '0', DYNAMODB_PORT: '0', DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  command.stdout.setEncoding('utf8').on('data', (more: string) => {
    text += more;
  });
  const printed = () => text;
  await untilReady(command, printed);
  return {
    url: found(/Base URL +(\S+)/, text),
    token: found(/Token +(\S+)/, text),
    printed,
    async stop() {
      command.kill('SIGINT');
      if (command.exitCode === null) await once(command, 'exit');
      await rm(dataDir, { recursive: true });
    },
  };
}

/** It is ready once it has printed the last line, a curl command. */
function untilReady(command: ChildProcess, printed: () => string): Promise<void> {
  return new Promise((resolve, reject) => {
    command.stdout?.on('data', () => {
      if (/^ *curl .*\n/m.test(printed())) resolve();
    });
    command.once('exit', (code) => reject(new Error(`npm start ended with ${code}:\n${printed()}`)));
  });
}

function found(pattern: RegExp, text: string): string {
  const [, value] = pattern.exec(text) ?? [];
  if (value === undefined) throw new Error(`no ${pattern} in:\n${text}`);
  return value;
}
