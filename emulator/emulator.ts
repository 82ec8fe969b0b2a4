import { createDocsPage, type DocsPageOptions } from './docs-page/docs-page.ts';
import { assertReachable } from './dynamodb/client.ts';
import { startEmbeddedDynamoDB } from './dynamodb/embedded.ts';
import { createTable, isTable, parseTable, type TableDefinition } from './dynamodb/tables.ts';
import { EmulatorError } from './emulator-error.ts';
import type { FunctionDefinition } from './functions/definition.ts';
import { FunctionPool } from './functions/function-pool.ts';
import type { Invoke } from './functions/invocation.ts';
import type { RequestObserver } from './rest-api/request-observer.ts';
import { createRestApi, type RestApi } from './rest-api/rest-api.ts';
import { serveRestApi } from './rest-api/server.ts';
import { readAssembly } from './template/assembly.ts';
import { createResolver, type Resolver, resolveOutputs } from './template/intrinsics.ts';
import { assertSupported } from './template/resource-types.ts';

export interface EmulatorOptions {
  /** The folder of a synthesized CDK app with one stack. */
  readonly assembly: string;
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
  /** Shows the OpenAPI document at `/docs`, unless the API has such a route. */
  readonly docsPage?: DocsPageOptions | undefined;
}

export interface Emulator {
  /** The base URL of the REST API, without a trailing slash. */
  readonly url: string;
  readonly dynamodbEndpoint: string;
  /** The names of the template's tables: their logical ids. */
  readonly tableNames: readonly string[];
  /** The template's Outputs by name, with `url` in place of the API's address at AWS. */
  readonly outputs: Readonly<Record<string, string>>;
  /** Resolves when the emulator has stopped: by `stop()`, or because the embedded DynamoDB ended, which is logged. */
  readonly stopped: Promise<void>;
  /** Completes the requests in flight, then frees the ports. */
  stop(): Promise<void>;
}

/** What the template describes, parsed and resolved, with nothing started. */
interface Plan {
  readonly resolver: Resolver;
  readonly tables: readonly TableDefinition[];
  readonly pools: readonly FunctionPool[];
  readonly api: RestApi;
}

interface Running {
  stop(): Promise<void>;
}

/** The place of the stack in ARNs: AWS's example account, in the region of the tools' examples. */
const location = { region: 'us-east-1', account: '123456789012' };

/**
 * Runs a synthesized stack on this machine.
 * @throws EmulatorError if it cannot; nothing is left running then
 */
export async function startEmulator(options: EmulatorOptions): Promise<Emulator> {
  const plan = await readPlan(options);
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

async function readPlan({ assembly, ...options }: EmulatorOptions): Promise<Plan> {
  try {
    const { template, stackName } = await readAssembly(assembly);
    const resolver = createResolver(template, { ...location, stackName });
    const resources = [...template.resources.values()];
    assertSupported(resources);
    const pools = new Map<string, FunctionPool>();
    const invokeOf = (definition: FunctionDefinition): Invoke => {
      const pool = pools.get(definition.arn) ?? new FunctionPool(definition, options);
      pools.set(definition.arn, pool);
      return (event, traceId) => pool.invoke(event, traceId);
    };
    const api = createRestApi({ resources, resolver, assembly, invokeOf });
    const tables = resources.filter(isTable).map((table) => parseTable(table, resolver));
    return { resolver, api, tables, pools: [...pools.values()] };
  } catch (error) {
    throw explain(error);
  }
}

async function start(
  { resolver, api, tables, pools }: Plan,
  options: EmulatorOptions,
  running: Running[],
  onFailure: (error: EmulatorError) => void,
): Promise<Omit<Emulator, 'stopped' | 'stop'>> {
  const { host, port, log, observer, debugged } = options;
  const dynamodbEndpoint = await startDynamoDB(options, running, onFailure);
  for (const pool of pools) {
    running.push(pool);
    pool.start(dynamodbEndpoint);
  }
  await Promise.all(tables.map((table) => createTable(table, dynamodbEndpoint)));
  const fallback = options.docsPage && createDocsPage(options.docsPage);
  const server = await serveRestApi(api, { host, port, log, observer, fallback, debugged });
  running.push(server);
  return {
    url: server.url,
    dynamodbEndpoint,
    tableNames: tables.map(({ TableName }) => TableName),
    outputs: resolveOutputs(resolver, api, server.url),
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

/** A TypeError comes from a template of the wrong shape, which its author can fix. */
function explain(error: unknown): unknown {
  if (!(error instanceof TypeError)) return error;
  return new EmulatorError(
    `The template cannot be used: ${error.message}; fix that in lib/, and start again`,
  );
}
