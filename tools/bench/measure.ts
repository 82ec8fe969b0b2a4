import { execFileSync, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';

const canPin = spawnSync('taskset', ['-c', '0', 'true']).status === 0 && availableParallelism() > 1;
const cores = { measured: availableParallelism() - 1, dynamodb: 0 };

export const pinning = canPin
  ? `pinned to core ${cores.measured}`
  : 'not pinned to a core, because this machine has no taskset command or only one core';

/** Returns the command that runs a script with Node, pinned to a CPU core if this machine can pin processes. */
export function onCore(core: keyof typeof cores, args: string[]): [string, string[]] {
  return canPin ? ['taskset', ['-c', `${cores[core]}`, process.execPath, ...args]] : [process.execPath, args];
}

export interface Endpoint {
  readonly url: string;
  /** The path to the certificate to trust. */
  readonly certificate: string;
}

/** A measured cold start. Times are CPU time, because other load on the machine would increase wall-clock time. */
export interface Cold {
  readonly initMs: number;
  readonly firstCallMs: number;
  /** The time of the whole process: Node's startup, init and the first request. */
  readonly processMs: number;
  readonly rssBytes: number;
}

/** Runs a function in a new process to measure it or to collect its results. */
export class Probe {
  readonly #folder: string;
  readonly #environment: Record<string, string>;

  constructor(folder: string, dynamodb: Endpoint) {
    this.#folder = folder;
    this.#environment = {
      PATH: process.env.PATH ?? '',
      AWS_REGION: 'us-east-1',
      AWS_ACCESS_KEY_ID: 'bench',
      AWS_SECRET_ACCESS_KEY: 'bench',
      AWS_SESSION_TOKEN: 'bench',
      AWS_ENDPOINT_URL_DYNAMODB: dynamodb.url,
      NODE_EXTRA_CA_CERTS: dynamodb.certificate,
      PLANTS_TABLE: 'plants',
      TOKENS_TABLE: 'tokens',
      STAGE: 'bench',
    };
  }

  cold(entry: string, event: object): Cold {
    return this.#run('cold', entry, { event });
  }

  /** @returns the CPU time per request in µs */
  warm(entry: string, event: object, replies: object): number {
    return this.#run('warm', entry, { event, replies });
  }

  results(entry: string, events: object[]): unknown[] {
    return this.#run('results', entry, { events });
  }

  #run(mode: string, entry: string, input: object) {
    const file = join(this.#folder, 'input.json');
    writeFileSync(file, JSON.stringify(input));
    const [command, args] = onCore('measured', [join(import.meta.dirname, 'probe.cjs'), mode, entry, file]);
    const output = execFileSync(command, args, {
      env: this.#environment,
      encoding: 'utf8',
      // With 'pipe', stderr is shown only if the process fails.
      stdio: ['ignore', 'pipe', 'pipe'],
      maxBuffer: 1 << 30,
    });
    return JSON.parse(output.trim().split('\n').at(-1) ?? '');
  }
}
