import { assertReachable } from './dynamodb/client.ts';
import { type EmbeddedDynamoDB, startEmbeddedDynamoDB } from './dynamodb/embedded.ts';
import { type ServerOptions, serveRestApi } from './rest-api/server.ts';
import { RunningStack } from './running-stack.ts';
import { rejections } from './user-error.ts';

/** `host` is the address for both the REST API and the embedded DynamoDB. */
export interface EmulatorOptions extends ServerOptions {
  /** The port of the embedded DynamoDB; 0 means any free port. */
  readonly dynamodbPort: number;
  /** The folder that holds the tables' data. */
  readonly dataDir: string;
  /** A DynamoDB to use instead of the embedded one, for example `http://127.0.0.1:8000`. */
  readonly dynamodbEndpoint?: string | undefined;
}

export interface Emulator extends Pick<RunningStack, 'run' | 'holdRequests'> {
  /** The base URL of the REST API, without a trailing slash. */
  readonly url: string;
  readonly dynamodbEndpoint: string;
  /**
   * Resolves when the emulator has stopped, either through `stop()` or because the embedded DynamoDB exited (which is
   * logged).
   */
  readonly stopped: Promise<void>;
  /** Completes the requests in progress, then frees the ports. */
  stop(): Promise<void>;
}

/**
 * Opens the ports and starts DynamoDB. Call `run()` on the result to run a synthesized app.
 * @throws UserError with a line for each setting that cannot be used; in that case, nothing is left running
 */
export async function startEmulator(options: EmulatorOptions): Promise<Emulator> {
  const started = Promise.withResolvers<RunningStack>();
  const [server, dynamodb] = await Promise.allSettled([
    serveRestApi(async () => (await started.promise).api(), options),
    startDynamoDB(options),
  ]);
  if (server.status === 'rejected' || dynamodb.status === 'rejected') {
    for (const each of [server, dynamodb]) if (each.status === 'fulfilled') await each.value.stop();
    throw rejections(server, dynamodb);
  }
  const { endpoint, failed } = dynamodb.value;
  const stack = new RunningStack(endpoint, options.log);
  started.resolve(stack);
  const stopAll = async () => {
    // Stops the server first, so that it completes its requests while the functions still run.
    await server.value.stop();
    await stack.stop();
    await dynamodb.value.stop();
  };
  const stopped = Promise.withResolvers<void>();
  let stopping: Promise<void> | undefined;
  const stop = () => {
    stopping ??= stopAll();
    stopped.resolve(stopping);
    return stopping;
  };
  void failed.then((error) => {
    options.log(error.message);
    void stop();
  });
  return {
    url: server.value.url,
    dynamodbEndpoint: endpoint,
    stopped: stopped.promise,
    run: (version) => stack.run(version),
    holdRequests: (reloaded) => stack.holdRequests(reloaded),
    stop,
  };
}

/** Returns the DynamoDB at `dynamodbEndpoint`. If that is not set, starts an embedded one. */
async function startDynamoDB(options: EmulatorOptions): Promise<EmbeddedDynamoDB> {
  const { dataDir, host, dynamodbPort, dynamodbEndpoint: endpoint } = options;
  if (endpoint === undefined) return startEmbeddedDynamoDB(dataDir, host, dynamodbPort);
  await assertReachable(endpoint);
  return { endpoint, failed: new Promise(() => {}), stop: async () => {} };
}
