import { assertReachable } from './dynamodb/client.ts';
import { startEmbeddedDynamoDB } from './dynamodb/embedded.ts';
import type { EmulatorError } from './emulator-error.ts';
import { explain, type Plan, readPlan, type Version } from './plan.ts';
import type { Fallback } from './rest-api/handle.ts';
import type { RequestObserver } from './rest-api/request-observer.ts';
import { serveRestApi } from './rest-api/server.ts';
import { RunningStack } from './running-stack.ts';
import { resolveOutputs } from './template/outputs.ts';

export interface EmulatorOptions extends Version {
  /** Of the REST API; 0 is any free port. */
  readonly port: number;
  /** Of the embedded DynamoDB; 0 is any free port. */
  readonly dynamodbPort: number;
  /** The folder of the tables' data. */
  readonly dataDir: string;
  /** The address to listen on, for example `127.0.0.1`. */
  readonly host: string;
  /** A DynamoDB to use instead of the embedded one, for example `http://127.0.0.1:8000`. */
  readonly dynamodbEndpoint?: string | undefined;
  /** Receives what the functions write, line by line, and the emulator's own messages, with the request's trace id. */
  readonly log: (line: string, traceId?: string) => void;
  readonly observer?: RequestObserver | undefined;
  /** Whether a debugger may pause the functions: then nothing times out. */
  readonly debugged?: boolean | undefined;
  /** Responds to what no route of the API matches. */
  readonly fallback?: Fallback | undefined;
}

export interface Emulator {
  /** The base URL of the REST API, without a trailing slash. */
  readonly url: string;
  readonly dynamodbEndpoint: string;
  /** The names of the template's tables: their logical ids. */
  readonly tableNames: readonly string[];
  /** The template's Outputs by name, with `url` in place of the API's address at AWS. */
  readonly outputs: Readonly<Record<string, string>>;
  /** The resources that the stack left out when the emulator started, by logical id, with the type of each. */
  readonly leftOut: ReadonlyMap<string, string>;
  /** Resolves when the emulator has stopped: by `stop()`, or because the embedded DynamoDB ended, which is logged. */
  readonly stopped: Promise<void>;
  /**
   * Replaces the API, and the functions that have changed, once the new ones are loaded. No request is rejected
   * meanwhile. One reload at a time.
   * @throws EmulatorError if the new version cannot run; the one before runs on
   */
  reload(version: Version): Promise<void>;
  /** Holds requests that arrive from now on until `reloaded` settles, so that they run the new version. */
  holdRequests(reloaded: Promise<unknown>): void;
  /** Completes the requests in flight, then frees the ports. */
  stop(): Promise<void>;
}

interface Running {
  stop(): Promise<void>;
}

/**
 * Runs a synthesized stack on this machine.
 * @throws EmulatorError if it cannot; nothing is left running then
 */
export async function startEmulator(options: EmulatorOptions): Promise<Emulator> {
  const plan = await readPlan(options, options);
  const running: Running[] = [];
  const stopped = Promise.withResolvers<void>();
  let stopping: Promise<void> | undefined;
  const stop = () => {
    stopping ??= stopAll(running);
    stopped.resolve(stopping);
    return stopping;
  };
  const onFailure = (error: EmulatorError) => {
    options.log(error.message);
    void stop();
  };
  try {
    return { ...(await start(plan, options, running, onFailure)), stopped: stopped.promise, stop };
  } catch (error) {
    await stop();
    throw explain(error);
  }
}

async function start(
  plan: Plan,
  options: EmulatorOptions,
  running: Running[],
  onFailure: (error: EmulatorError) => void,
): Promise<Omit<Emulator, 'stopped' | 'stop'>> {
  const { host, port, log, observer, fallback, debugged } = options;
  const dynamodbEndpoint = await startDynamoDB(options, running, onFailure);
  const stack = new RunningStack(plan, dynamodbEndpoint);
  running.push(stack);
  await stack.start();
  let held = Promise.resolve();
  const currentApi = async () => {
    // A hold that begins during another counts too.
    for (let before: unknown; before !== held; await before) before = held;
    return stack.api;
  };
  const server = await serveRestApi(currentApi, { host, port, log, observer, fallback, debugged });
  running.push(server);
  return {
    url: server.url,
    dynamodbEndpoint,
    leftOut: plan.resolver.template.leftOut,
    tableNames: plan.tables.map(({ TableName }) => TableName),
    outputs: resolveOutputs(plan.resolver, plan.api, server.url),
    reload: async (version) => stack.replace(await readPlan(version, options, stack.pools)),
    holdRequests: (reloaded) => {
      held = Promise.allSettled([held, reloaded]).then(() => {});
    },
  };
}

async function startDynamoDB(
  { dataDir, host, dynamodbPort, dynamodbEndpoint }: EmulatorOptions,
  running: Running[],
  onFailure: (error: EmulatorError) => void,
): Promise<string> {
  if (dynamodbEndpoint !== undefined) {
    await assertReachable(dynamodbEndpoint);
    return dynamodbEndpoint;
  }
  const dynamodb = await startEmbeddedDynamoDB({ dataDir, host, port: dynamodbPort });
  running.push(dynamodb);
  void dynamodb.failed.then(onFailure);
  return dynamodb.endpoint;
}

/** In the reverse order of their start: the server completes its requests while the functions still run. */
async function stopAll(running: readonly Running[]): Promise<void> {
  for (const part of running.toReversed()) await part.stop();
}
