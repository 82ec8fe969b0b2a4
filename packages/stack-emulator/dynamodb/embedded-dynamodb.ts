import { once } from 'node:events';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { combinedError, listenError, reasonOf } from '../errors.ts';
import { usableFolder } from './data-folder.ts';

export interface RunningDynamoDB {
  readonly endpoint: string;
  /** Resolves with a message for the user if DynamoDB exits before `stop()` is called. */
  readonly failed: Promise<string>;
  stop(): Promise<void>;
}

/**
 * Runs dynalite in a worker thread.
 * @param port 0 means any free port
 * @throws UserError if the folder, the address or the port cannot be used
 */
export async function startEmbeddedDynamoDB(
  dataDir: string,
  host: string,
  port: number,
): Promise<RunningDynamoDB> {
  const [folder] = await Promise.allSettled([usableFolder(dataDir)]);
  // If the folder cannot be used, DynamoDB runs in memory, so that a port in use is reported too.
  const path = folder.status === 'fulfilled' ? folder.value : undefined;
  const worker = new Worker(join(import.meta.dirname, 'worker-thread.cjs'), {
    name: 'DynamoDB',
    workerData: { path, host, port },
    execArgv: [],
  });
  let reason: string | undefined;
  worker.on('error', (error) => {
    // After a full disk, for example, a second error says only that the database is closed.
    reason ??= reasonOf(error);
  });
  let stopping = false;
  const failed = Promise.withResolvers<string>();
  const exited = Promise.withResolvers<void>();
  worker.on('exit', () => {
    exited.resolve();
    if (stopping) return;
    const why = reason ?? 'no error was reported';
    failed.resolve(`The embedded DynamoDB ended unexpectedly (${why}): start the emulator again`);
  });
  const stop = async () => {
    stopping = true;
    worker.postMessage('stop');
    // Once the thread has ended, its folder is no longer locked.
    await exited.promise;
  };
  const [listening] = await Promise.allSettled([
    once(worker, 'message').catch((error: unknown) => {
      throw listenError(error, 'DYNAMODB_PORT', host, port);
    }),
  ]);
  if (folder.status === 'rejected' || listening.status === 'rejected') {
    await stop();
    throw combinedError(folder, listening);
  }
  return {
    endpoint: `http://${host.includes(':') ? `[${host}]` : host}:${listening.value[0]}`,
    failed: failed.promise,
    stop,
  };
}
