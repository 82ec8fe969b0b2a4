import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isObject } from '../json.ts';
import { codeOf, messageOf, StageError } from '../stage-error.ts';

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

/**
 * Starts dynalite as a process of its own: so it has a core to itself, and can't take the stage down with it.
 * @throws StageError if the folder or the port can't be used
 */
export async function startEmbeddedDynamoDB(options: EmbeddedOptions): Promise<EmbeddedDynamoDB> {
  const path = join(options.dataDir, 'dynamodb');
  await mkdir(path, { recursive: true }).catch((error: unknown) => {
    throw explain(codeOf(error), messageOf(error), path, options.port);
  });
  const { host, port, log } = options;
  const child = fork(join(import.meta.dirname, 'process.cjs'), [path, host, String(port)], {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    execArgv: [],
  });
  let stderr = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const exited = once(child, 'exit');
  const [message] = await Promise.race([once(child, 'message'), exited.then(() => [undefined])]);
  if (!isObject(message) || typeof message['port'] !== 'number') {
    const failure = isObject(message) && isObject(message['failure']) ? message['failure'] : {};
    const code = typeof failure['code'] === 'string' ? failure['code'] : undefined;
    throw explain(code, String(failure['message'] ?? stderr), path, port);
  }
  let stopping = false;
  child.on('message', (later) => log(`The embedded DynamoDB failed: ${JSON.stringify(later)}`));
  child.on('exit', (code, signal) => {
    if (!stopping) log(`The embedded DynamoDB ended (${signal ?? code}); start the stage again. ${stderr}`);
  });
  return {
    endpoint: `http://${host.includes(':') ? `[${host}]` : host}:${message['port']}`,
    async stop() {
      stopping = true;
      if (child.connected) child.disconnect();
      await exited;
    },
  };
}

function explain(code: string | undefined, message: string, path: string, port: number): StageError {
  switch (code) {
    case 'EADDRINUSE':
      return new StageError(
        `DynamoDB's port ${port} is in use: set DYNAMODB_PORT to another, or to 0 for any`,
      );
    case 'EACCES':
    case 'EADDRNOTAVAIL':
      if (/listen/.test(message)) return new StageError(`DynamoDB can't listen on port ${port}: ${message}`);
      return new StageError(`The data folder ${path} can't be written: set DATA_DIR to another (${message})`);
    case 'LEVEL_LOCKED':
      return new StageError(`The data folder ${path} is in use by another stage: stop that, or set DATA_DIR`);
    case 'LEVEL_CORRUPTION':
      return new StageError(`The data folder ${path} is damaged: remove it or set DATA_DIR (${message})`);
    default:
      return new StageError(
        `The data folder ${path} can't be used: set DATA_DIR to another (${message.trim()})`,
      );
  }
}
