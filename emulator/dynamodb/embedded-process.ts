import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { EmulatorError } from '../emulator-error.ts';
import { isObject, type Json } from '../json.ts';
import { listenError } from '../listen-error.ts';
import { folderError } from './folder.ts';

export interface EmbeddedProcessOptions {
  /** The folder of its files. */
  readonly path: string;
  readonly host: string;
  /** 0 is any free port. */
  readonly port: number;
}

export interface EmbeddedProcess {
  readonly port: number;
  /** Why it ended, once it did. */
  readonly ended: Promise<string>;
  stop(): void;
}

/**
 * Starts dynalite as a process of its own: so it has a core to itself, and can't take the stage down with it.
 * @throws EmulatorError if the folder, the address or the port can't be used
 */
export async function startEmbeddedProcess(options: EmbeddedProcessOptions): Promise<EmbeddedProcess> {
  const { path, host, port } = options;
  const child = fork(join(import.meta.dirname, 'process.cjs'), [path, host, String(port)], {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    execArgv: [],
  });
  let reason = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    reason += text;
  });
  const exited = once(child, 'exit');
  const first = await Promise.race([once(child, 'message'), exited.then(() => [undefined])]);
  const [message]: (Json | undefined)[] = first;
  if (!isObject(message) || typeof message.port !== 'number') {
    const { code, message: text } = failureOf(message);
    // It holds the lock of its folder until it ends.
    await exited;
    throw explain(code, text ?? reason, options);
  }
  child.on('message', (later: Json) => {
    reason += failureOf(later).message ?? '';
  });
  return {
    port: message.port,
    ended: exited.then(([code, signal]) => [signal ?? `exit status ${code}`, reason.trim()].join(' ').trim()),
    stop: () => disconnect(child),
  };
}

/** It ends by itself then. */
function disconnect(child: ChildProcess): void {
  if (child.connected) child.disconnect();
}

function failureOf(message: Json | undefined): { code?: string | undefined; message?: string | undefined } {
  const failure = isObject(message) && isObject(message.failure) ? message.failure : {};
  const text = (value: Json | undefined) => (typeof value === 'string' ? value : undefined);
  return { code: text(failure.code), message: text(failure.message) };
}

function explain(code: string | undefined, message: string, options: EmbeddedProcessOptions): EmulatorError {
  const { path } = options;
  // A folder that may not be read has the code of a port that may not be used.
  if (/^(listen|getaddrinfo) /.test(message)) {
    const listening = { ...options, variable: 'DYNAMODB_PORT', name: "DynamoDB's port" };
    const error = listenError(code, message, listening);
    if (error !== undefined) return error;
  }
  return folderError(code, message, path);
}
