import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { PROJECT } from '../pages/code-blocks.ts';
import { type HttpRequest, type HttpResponse, send } from '../service/http.ts';

/** `npm start` in a separate process, on free ports and without data. */
export interface StartedService {
  readonly url: string;
  readonly token: string;
  readonly dataDir: string;
  /** The stdout so far, which is the log. */
  readonly logged: () => string;
  /** The stderr so far, which contains progress messages and the introduction. */
  readonly printed: () => string;
  /** Sends a request, by default with the token and the media type of JSON. */
  send(request: HttpRequest): Promise<HttpResponse>;
  /** Closes stdout and stderr, as happens when a `tee` that reads them ends. */
  stopReading(): void;
  /** Sends a signal only to the command itself, not to its child processes. */
  kill(signal: NodeJS.Signals): void;
  /** Resolves when the command and every child process that shares its output have ended. */
  readonly ended: Promise<unknown>;
  /** Stops the command. Resolves with the exit code, or with null if a signal ended the process. */
  stop(): Promise<number | null>;
}

export interface StartOptions {
  readonly project?: string;
  readonly command?: readonly string[];
}

export const START = [process.execPath, 'bin/start.ts'];

export async function startFromCommandLine(
  env: NodeJS.ProcessEnv = {},
  { project = PROJECT, command: [program = '', ...args] = START }: StartOptions = {},
): Promise<StartedService> {
  const dataDir = await mkdtemp(join(tmpdir(), 'plant-store-data-'));
  const command = spawn(program, args, {
    cwd: project,
    env: { ...process.env, PORT: '0', DYNAMODB_PORT: '0', DATA_DIR: dataDir, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(command, 'close');
  const [logged, printed] = [textOf(command.stdout), textOf(command.stderr)];
  await untilReady(command, printed);
  const url = found(/export BASE_URL=(\S+)/, printed());
  const token = found(/export ACCESS_TOKEN=(\S+)/, printed());
  return {
    url,
    token,
    dataDir,
    logged,
    printed,
    kill: (signal) => command.kill(signal),
    ended,
    send: (request) => send(url, { token, ...request }),
    stopReading() {
      command.stdout.destroy();
      command.stderr.destroy();
    },
    async stop() {
      command.kill('SIGINT');
      if (command.exitCode === null) await once(command, 'exit');
      await rm(dataDir, { recursive: true, force: true });
      return command.exitCode;
    },
  };
}

function textOf(stream: Readable): () => string {
  let text = '';
  stream.setEncoding('utf8').on('data', (more: string) => {
    text += more;
  });
  return () => text;
}

/** @throws AbortError after a minute, because a loop would go on after its test has timed out */
export async function until(isDone: () => boolean): Promise<void> {
  const signal = AbortSignal.timeout(60_000);
  while (!isDone()) await sleep(10, undefined, { signal });
}

/** Resolves when the service has printed the last line of the introduction, which is a curl command. */
function untilReady(command: ChildProcess, printed: () => string): Promise<void> {
  return new Promise((resolve, reject) => {
    command.stderr?.on('data', () => {
      if (/^ *curl .*\r?\n/m.test(printed())) resolve();
    });
    command.once('exit', (code) =>
      reject(new Error(`npm start exited with ${code}:\n${printed()}`)),
    );
  });
}

function found(pattern: RegExp, text: string): string {
  const [, value] = pattern.exec(text) ?? [];
  if (value === undefined) throw new Error(`npm start did not print ${pattern}:\n${text}`);
  return value;
}
