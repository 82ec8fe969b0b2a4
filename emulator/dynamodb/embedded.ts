import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { codeOf, messageOf } from '../emulator-error.ts';
import { type EmbeddedProcess, startEmbeddedProcess } from './embedded-process.ts';
import { folderError, makeFolder } from './folder.ts';

export interface EmbeddedDynamoDB {
  /** `http://127.0.0.1:8000` */
  readonly endpoint: string;
  stop(): Promise<void>;
}

interface EmbeddedOptions {
  /** Its files are in the folder `dynamodb` in here. */
  readonly dataDir: string;
  readonly host: string;
  /** 0 is any free port. */
  readonly port: number;
  readonly log: (line: string) => void;
}

/** How often it is started again, unless it has run for a while since. */
const MAX_RESTARTS = 3;
const AWHILE_MS = 60_000;
const PAUSE_MS = 200;

/**
 * Runs a DynamoDB on this machine, and starts it again in the same place should its process end.
 * @throws EmulatorError if the folder, the address or the port can't be used
 */
export async function startEmbeddedDynamoDB(options: EmbeddedOptions): Promise<EmbeddedDynamoDB> {
  const { host, log } = options;
  const path = join(options.dataDir, 'dynamodb');
  await makeFolder(path).catch((error: unknown) => {
    throw folderError(codeOf(error), messageOf(error), path);
  });
  let running: EmbeddedProcess | undefined = await startEmbeddedProcess({ path, host, port: options.port });
  const { port } = running;
  let stopping = false;

  async function startAgain(): Promise<EmbeddedProcess | undefined> {
    try {
      const restarted = await startEmbeddedProcess({ path, host, port });
      if (stopping) restarted.stop();
      else log('The embedded DynamoDB is back');
      return restarted;
    } catch (error) {
      log(`The embedded DynamoDB can't start: ${messageOf(error)}`);
      return undefined;
    }
  }

  async function keepRunning(): Promise<void> {
    for (let restarts = 0; ; restarts++) {
      const since = Date.now();
      const reason = await running?.ended;
      if (stopping) return;
      if (reason !== undefined) log(`The embedded DynamoDB ended (${reason})`);
      if (Date.now() - since > AWHILE_MS) restarts = 0;
      if (restarts === MAX_RESTARTS) break;
      await sleep(PAUSE_MS * restarts);
      if (stopping) return;
      running = await startAgain();
    }
    log(`The embedded DynamoDB was started again ${MAX_RESTARTS} times in vain; start the stage again`);
  }

  const kept = keepRunning();
  return {
    endpoint: `http://${host.includes(':') ? `[${host}]` : host}:${port}`,
    async stop() {
      stopping = true;
      running?.stop();
      await kept;
    },
  };
}
