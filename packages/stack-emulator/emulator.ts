import { type DynamoDBOptions, startDynamoDB } from './dynamodb/start-dynamodb.ts';
import { combinedError } from './errors.ts';
import { type ServerOptions, serveRestApi } from './rest-api/server.ts';
import { RunningStack, type RunningVersion, type Version } from './running-stack.ts';

/** `host` is the address for both the REST API and the embedded DynamoDB. */
export interface EmulatorOptions extends ServerOptions, DynamoDBOptions {}

export interface Emulator extends Pick<RunningStack, 'holdRequests'> {
  /** The base URL of the REST API, without a trailing slash. */
  readonly url: string;
  /** A GET of `{url}/{id}` gets 204 only from this emulator. */
  readonly id: string;
  readonly dynamodbEndpoint: string;
  /**
   * Resolves when the emulator has stopped, either through `stop()` or because the embedded DynamoDB exited (which is
   * logged).
   */
  readonly stopped: Promise<void>;
  /**
   * Runs a version of the app; wait for the previous `run()` to settle first. Requests wait for the first version. Each
   * later version replaces the API and the changed functions once they are loaded; each request is completed by the
   * version that it began with. In the first version, requests to a function that cannot be loaded fail, as in AWS.
   * @throws UserError if the version cannot run; the previous version keeps running
   */
  run(version: Version): Promise<RunningVersion>;
  /** Completes the requests in progress, then frees the ports. */
  stop(): Promise<void>;
}

/**
 * Opens the ports and starts DynamoDB. Call `run()` on the result to run a synthesized app.
 * @throws UserError with a line for each setting that cannot be used; in that case, nothing is left running
 */
export async function startEmulator(options: EmulatorOptions): Promise<Emulator> {
  const stack = new RunningStack(options.log);
  const [server, dynamodb] = await Promise.allSettled([
    serveRestApi(() => stack.api(), options),
    startDynamoDB(options),
  ]);
  if (server.status === 'rejected' || dynamodb.status === 'rejected') {
    if (server.status === 'fulfilled') await server.value.stop();
    if (dynamodb.status === 'fulfilled') await dynamodb.value.stop();
    throw combinedError(server, dynamodb);
  }
  const { endpoint, failed } = dynamodb.value;
  const stopRequested = Promise.withResolvers<void>();
  const logged = failed.then((reason) => options.log(reason));
  const stopped = Promise.race([stopRequested.promise, logged]).then(async () => {
    // Stops the server first, so that it completes its requests while the functions still run.
    await server.value.stop();
    await stack.stop();
    await dynamodb.value.stop();
  });
  return {
    url: server.value.url,
    id: server.value.id,
    dynamodbEndpoint: endpoint,
    stopped,
    run: (version) => stack.run(version, endpoint),
    holdRequests: (released) => stack.holdRequests(released),
    stop() {
      stopRequested.resolve();
      return stopped;
    },
  };
}
