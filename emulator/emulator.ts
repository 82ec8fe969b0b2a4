import { createDocsPage, type DocsPageOptions } from './docs-page/docs-page.ts';
import { type EmbeddedDynamoDB, startEmbeddedDynamoDB } from './dynamodb/embedded.ts';
import { reachDynamoDB } from './dynamodb/external.ts';
import { createTable, isTable } from './dynamodb/tables.ts';
import { EmulatorError } from './emulator-error.ts';
import type { FunctionDefinition } from './functions/definition.ts';
import { FunctionPool } from './functions/function-pool.ts';
import type { Invoke } from './functions/invocation.ts';
import { endPackageScope } from './functions/package-scope.ts';
import { startProcessGuard } from './functions/process-guard.ts';
import { createRestApi } from './rest-api/rest-api.ts';
import { serveRestApi } from './rest-api/server.ts';
import { readAssembly } from './template/assembly.ts';
import { createResolver, resolveOutputs } from './template/intrinsics.ts';
import { assertSupported, existing } from './template/resource-types.ts';

export interface StageOptions {
  /** The folder of a synthesized CDK app with one stack. */
  readonly assembly: string;
  /** Of the REST API; 0 is any free port. */
  readonly port: number;
  /** Of the embedded DynamoDB; 0 is any free port. */
  readonly dynamodbPort: number;
  /** Keeps the tables' data. */
  readonly dataDir: string;
  /** The address to listen on, for example `127.0.0.1`. */
  readonly host: string;
  /** A DynamoDB to use instead of the embedded one, for example `http://127.0.0.1:8000`. */
  readonly dynamodbEndpoint?: string | undefined;
  /** Receives what the functions write, line by line, and the stage's own messages. */
  readonly log: (line: string) => void;
  /** Shows the interface at `/docs`, unless the API has such a route; absent: it is not shown. */
  readonly docsPage?: DocsPageOptions | undefined;
}

export interface Stage {
  /** The base URL of the REST API, without a slash at its end. */
  readonly url: string;
  readonly dynamodbEndpoint: string;
  /** The names of the template's tables: their logical ids. */
  readonly tableNames: readonly string[];
  /** The template's Outputs by name; an output of the API's own address has the local one. */
  readonly outputs: Readonly<Record<string, string>>;
  /** Ends every process and frees the ports. Calling it again waits for the same end. */
  stop(): Promise<void>;
}

/** Where ARNs say that the stack is: AWS's example account, in the region of the tools' examples. */
const location = { region: 'us-east-1', account: '123456789012' };

/** A part of the stage that has been started. */
interface Running {
  stop(): Promise<void>;
}

/**
 * Brings a synthesized stack up on this machine.
 * @throws EmulatorError if that can't be done; nothing is left running then
 */
export async function startEmulator(options: StageOptions): Promise<Stage> {
  const running: Running[] = [];
  let stopped: Promise<void> | undefined;
  const stop = () => {
    stopped ??= stopAll(running);
    return stopped;
  };
  try {
    return { ...(await start(options, running)), stop };
  } catch (error) {
    await stop();
    // Whatever the template's own shape made impossible, the one who wrote it can read.
    if (!(error instanceof TypeError)) throw error;
    throw new EmulatorError(
      `The template can't be used: ${error.message}; fix that in lib/, and start again`,
    );
  }
}

async function start(options: StageOptions, running: Running[]): Promise<Omit<Stage, 'stop'>> {
  const { assembly, host, log } = options;
  const { template, stackName } = await readAssembly(assembly);
  const resolver = createResolver(template, { ...location, stackName });
  const resources = existing(resolver);
  assertSupported(resources);
  await endPackageScope(assembly);

  const dynamodbEndpoint =
    options.dynamodbEndpoint === undefined
      ? await startDynamoDB(options, running)
      : await reachDynamoDB(options.dynamodbEndpoint);
  const guard = startProcessGuard();
  running.push(guard);
  const pools = new Map<string, FunctionPool>();
  const poolOf = (definition: FunctionDefinition): FunctionPool => {
    const pool = pools.get(definition.arn) ?? new FunctionPool({ definition, dynamodbEndpoint, guard, log });
    if (!pools.has(definition.arn)) running.push(pool);
    pools.set(definition.arn, pool);
    return pool;
  };
  const invokeOf = (definition: FunctionDefinition): Invoke => {
    const pool = poolOf(definition);
    return (event, traceId) => pool.invoke(event, traceId);
  };
  const api = createRestApi({ resources, resolver, assembly, invokeOf });
  const tables = resources.filter(isTable);
  await Promise.all(tables.map((table) => createTable(table, resolver, dynamodbEndpoint)));
  const fallback = options.docsPage && createDocsPage(options.docsPage);
  const server = await serveRestApi(api, { host, port: options.port, log, fallback });
  running.push(server);
  return {
    url: server.url,
    dynamodbEndpoint,
    tableNames: tables.map(({ logicalId }) => logicalId),
    outputs: resolveOutputs(resolver, api.stage, server.url),
  };
}

async function startDynamoDB(options: StageOptions, running: Running[]): Promise<string> {
  const { dataDir, host, dynamodbPort: port, log } = options;
  const dynamodb: EmbeddedDynamoDB = await startEmbeddedDynamoDB({ dataDir, host, port, log });
  running.push(dynamodb);
  return dynamodb.endpoint;
}

/** In the reverse order of their start: the server ends answers under way before it loses its functions. */
async function stopAll(running: Running[]): Promise<void> {
  for (const part of running.toReversed()) await part.stop();
}
