import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onCore } from './pinned.ts';
import type { Store } from './store.ts';

export interface Cost {
  /** By the clock: what else the machine does is in it. */
  readonly wallMs: number;
  /** The process's own CPU time. */
  readonly cpuMs: number;
}

export interface Cold {
  readonly init: Cost;
  readonly firstCall: Cost;
  /** Node's own start, init and the first call. */
  readonly processCpuMs: number;
  readonly rssBytes: number;
}

export interface Warm {
  readonly warmCpuUs: number;
  /** From call 5,000 to call 20,000. */
  readonly rssGrowthBytes: number;
}

/** Asks a fresh process for a measurement of a function, or for its answers to events. */
export class Probe {
  readonly #folder: string;
  readonly #environment: Record<string, string>;

  constructor(folder: string, store: Store) {
    this.#folder = folder;
    this.#environment = {
      PATH: process.env.PATH ?? '',
      AWS_REGION: 'us-east-1',
      AWS_ACCESS_KEY_ID: 'bench',
      AWS_SECRET_ACCESS_KEY: 'bench',
      AWS_SESSION_TOKEN: 'bench',
      AWS_ENDPOINT_URL_DYNAMODB: store.endpoint,
      NODE_EXTRA_CA_CERTS: store.certificate,
      PLANTS_TABLE: 'plants',
      TOKENS_TABLE: 'tokens',
      STAGE: 'bench',
    };
  }

  cold(entry: string, event: object): Cold {
    return this.#ask('cold', entry, { event });
  }

  warm(entry: string, event: object, replies: object): Warm {
    return this.#ask('warm', entry, { event, replies });
  }

  answers(entry: string, events: object[]): unknown[] {
    return this.#ask('answers', entry, { events });
  }

  #ask(mode: string, entry: string, input: object) {
    const file = join(this.#folder, 'input.json');
    writeFileSync(file, JSON.stringify(input));
    const [command, args] = onCore('measured', [join(import.meta.dirname, 'probe.cjs'), mode, entry, file]);
    const output = execFileSync(command, args, {
      env: this.#environment,
      encoding: 'utf8',
      // What it warns of is shown only if it fails.
      stdio: ['ignore', 'pipe', 'pipe'],
      maxBuffer: 1 << 30,
    });
    return JSON.parse(output.trim().split('\n').at(-1) ?? '');
  }
}
