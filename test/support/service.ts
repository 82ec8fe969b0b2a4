import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DynamoDBDocumentClient, GetCommand, paginateScan } from '@aws-sdk/lib-dynamodb';
import { type Emulator, type RunningVersion, startEmulator } from '@plant-store/emulator';
import { localDynamoDB } from '../../tools/operator/connect.ts';
import { tokenStore } from '../../tools/tokens/token-store.ts';
import { issueToken } from '../../tools/tokens/tokens.ts';
import { writeExactly } from './exact-json.ts';
import { type HttpRequest, type HttpResponse, send } from './http.ts';
import { synthesizedAssembly } from './synthesized-assembly.ts';
import { type Plant, plantOf } from './target.ts';

/** The service, run by the emulator from the synthesized template on free ports. */
export interface Service {
  readonly emulator: Emulator & RunningVersion;
  /** The folder that contains the tables' data. */
  readonly dataDir: string;
  /** Empty if the service has no tokens table. */
  readonly token: string;
  readonly dynamodb: DynamoDBDocumentClient;
  /** The lines that the functions and the emulator logged. */
  readonly log: readonly string[];
  /** Sends a request, by default with a valid token and media type. */
  send(request: HttpRequest): Promise<HttpResponse>;
  /** Creates a plant from an object, or from a string that is sent as the body. */
  create(newPlant: object | string): Promise<HttpResponse>;
  /** The item in the plants table with this id. */
  stored(id: bigint): Promise<Record<string, unknown> | undefined>;
  /** Every plant in the table, by its decimal id. */
  plants(): Promise<ReadonlyMap<string, Plant>>;
  stop(): Promise<void>;
}

export interface ServiceOptions {
  readonly assembly?: string | undefined;
  readonly dynamodbEndpoint?: string;
}

export async function startService({ assembly, dynamodbEndpoint }: ServiceOptions = {}): Promise<Service> {
  const dataDir = await mkdtemp(join(tmpdir(), 'plant-store-data-'));
  const log: string[] = [];
  const started = await startEmulator({
    port: 0,
    dynamodbPort: 0,
    dataDir,
    host: '127.0.0.1',
    dynamodbEndpoint,
    log: (line) => log.push(line),
  });
  const version = await started.run({ assembly: assembly ?? synthesizedAssembly() });
  const emulator = { ...started, ...version };
  const dynamodb = localDynamoDB(emulator.dynamodbEndpoint);
  const { TokensTableName: table } = emulator.outputs;
  const { text: token } = table
    ? await issueToken(tokenStore(dynamodb, table), { name: 'end-to-end test', lifetimeSeconds: 3600 })
    : { text: '' };
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  const plantsTable = emulator.tableNames.find((name) => name.startsWith('Plants'));
  const service: Service = {
    emulator,
    dataDir,
    token,
    dynamodb,
    log,
    send: (request) => send(emulator.url, { headers, ...request }),
    create: (newPlant) =>
      service.send({ body: typeof newPlant === 'string' ? newPlant : writeExactly(newPlant) }),
    stored: async (id) => {
      const get = new GetCommand({ TableName: plantsTable, Key: { id }, ConsistentRead: true });
      return (await dynamodb.send(get)).Item;
    },
    plants: async () => {
      const scan = { TableName: plantsTable, ConsistentRead: true };
      const plants = new Map<string, Plant>();
      for await (const { Items = [] } of paginateScan({ client: dynamodb }, scan)) {
        for (const item of Items) plants.set(`${item.id}`, plantOf(item));
      }
      return plants;
    },
    stop: async () => {
      dynamodb.destroy();
      await emulator.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
  return service;
}
