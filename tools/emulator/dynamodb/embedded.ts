import { mkdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { codeOf, EmulatorError, messageOf } from '../emulator-error.ts';
import { listenError } from '../listen.ts';

const { resolve } = createRequire(import.meta.url);

export interface EmbeddedDynamoDB {
  /** `http://127.0.0.1:8000` */
  readonly endpoint: string;
  /** Resolves if DynamoDB ends without `stop()`. */
  readonly failed: Promise<EmulatorError>;
  stop(): Promise<void>;
}

export interface EmbeddedOptions {
  /** The folder `dynamodb` in it has DynamoDB's files. */
  readonly dataDir: string;
  readonly host: string;
  /** 0 is any free port. */
  readonly port: number;
}

/** What worker.cjs posts: its port when it listens, and why it cannot. */
interface Message {
  readonly port?: number;
  readonly failure?: { readonly code?: string; readonly message: string };
}

/**
 * Runs dynalite in a worker thread.
 * @throws EmulatorError if the folder, the address or the port cannot be used
 */
export async function startEmbeddedDynamoDB(options: EmbeddedOptions): Promise<EmbeddedDynamoDB> {
  const { host } = options;
  const path = join(options.dataDir, 'dynamodb');
  await mkdir(path, { recursive: true }).catch((error: unknown) => {
    throw folderError(codeOf(error), messageOf(error), path);
  });
  // A thread of LevelDB's own can outlive the worker, and ends this process by a segmentation fault if Node has
  // unloaded its code with the worker: only what this thread has loaded too stays.
  createRequire(resolve('dynalite'))('level');
  const worker = new Worker(join(import.meta.dirname, 'worker.cjs'), {
    name: 'DynamoDB',
    workerData: { path, host, port: options.port },
    execArgv: [],
  });
  const listening = Promise.withResolvers<number>();
  const failures: NonNullable<Message['failure']>[] = [];
  worker.on('message', (message: Message) => {
    if (message.port !== undefined) listening.resolve(message.port);
    if (message.failure !== undefined) failures.push(message.failure);
  });
  worker.on('error', (error) => failures.push({ message: messageOf(error) }));
  let stopping = false;
  const failed = Promise.withResolvers<EmulatorError>();
  const exited = new Promise((resolve) => worker.on('exit', resolve)).then(() => {
    if (failures.length === 0) failures.push({ message: 'its thread ended' });
    const reasons = failures.map(({ code, message }) => startError(code, message, path, options).message);
    // The thread has released the lock of its folder.
    listening.reject(new EmulatorError(reasons.join('\n')));
    if (!stopping)
      failed.resolve(
        new EmulatorError(
          `The embedded DynamoDB ended (${failures.at(-1)?.message}): start the emulator again`,
        ),
      );
  });
  const port = await listening.promise;
  return {
    endpoint: `http://${host.includes(':') ? `[${host}]` : host}:${port}`,
    failed: failed.promise,
    async stop() {
      stopping = true;
      worker.postMessage('stop');
      await exited;
    },
  };
}

function startError(
  code: string | undefined,
  message: string,
  path: string,
  options: EmbeddedOptions,
): EmulatorError {
  // A folder without the right to read has the same code as a port without the right to listen.
  if (/^(listen|getaddrinfo) /.test(message)) {
    const error = listenError(code, message, {
      ...options,
      variable: 'DYNAMODB_PORT',
      name: "DynamoDB's port",
    });
    if (error !== undefined) return error;
  }
  return folderError(code, message, path);
}

/** Why a data folder cannot be used, and what to do. */
function folderError(code: string | undefined, message: string, path: string): EmulatorError {
  if (/No space left|ENOSPC|quota/i.test(message)) {
    return new EmulatorError(`The disk of the data folder ${path} is full: free some of it, or set DATA_DIR`);
  }
  switch (code) {
    case 'EACCES':
    case 'EROFS':
      return new EmulatorError(
        `The data folder ${path} cannot be written: set DATA_DIR to another (${message})`,
      );
    case 'LEVEL_LOCKED':
      return new EmulatorError(
        `The data folder ${path} is in use by another emulator: stop that, or set DATA_DIR`,
      );
    case 'LEVEL_CORRUPTION':
      return new EmulatorError(`The data folder ${path} is damaged: remove it or set DATA_DIR (${message})`);
    default:
      return new EmulatorError(
        `The data folder ${path} cannot be used: set DATA_DIR to another (${message.trim()})`,
      );
  }
}
