import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import { type Stage, startEmulator } from '../../emulator/emulator.ts';
import { localDynamoDB } from '../../tokens/connect.ts';
import { tokenStore } from '../../tokens/token-store.ts';
import { issueToken } from '../../tokens/tokens.ts';
import { type HttpRequest, type HttpResponse, send } from './http.ts';
import { synthesizedAssembly } from './synthesized-assembly.ts';

/** The service on the emulator, brought up from the synthesized template on free ports. */
export interface Service {
  readonly stage: Stage;
  /** Where the stage keeps its tables. */
  readonly dataDir: string;
  readonly token: string;
  readonly dynamodb: DynamoDBDocumentClient;
  /** What the functions wrote. */
  readonly log: readonly string[];
  /** Sends a request with a good token and the right media type, where it doesn't say otherwise. */
  send(request: HttpRequest): Promise<HttpResponse>;
  /** Creates a plant from a value or from the very text of a body. */
  create(newPlant: object | string): Promise<HttpResponse>;
  /** The item that the plants table has under an id. */
  stored(id: bigint): Promise<Record<string, unknown> | undefined>;
  stop(): Promise<void>;
}

export interface ServiceOptions {
  readonly assembly?: string | undefined;
  readonly dynamodbEndpoint?: string;
}

export async function startService({ assembly, dynamodbEndpoint }: ServiceOptions = {}): Promise<Service> {
  const dataDir = await mkdtemp(join(tmpdir(), 'plant-store-data-'));
  const log: string[] = [];
  const stage = await startEmulator({
    assembly: assembly ?? synthesizedAssembly(),
    port: 0,
    dynamodbPort: 0,
    dataDir,
    host: '127.0.0.1',
    dynamodbEndpoint,
    log: (line) => log.push(line),
  });
  const dynamodb = localDynamoDB(stage.dynamodbEndpoint);
  const { text: token } = await issueToken(tokenStore(dynamodb, stage.outputs.TokensTableName ?? ''), {
    name: 'end-to-end test',
    expiresAt: Math.floor(Date.now() / 1000) + 3600,
  });
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  const plantsTable = stage.tableNames.find((name) => name.startsWith('Plants'));
  const service: Service = {
    stage,
    dataDir,
    token,
    dynamodb,
    log,
    send: (request) => send(stage.url, { headers, ...request }),
    create: (newPlant) =>
      service.send({ body: typeof newPlant === 'string' ? newPlant : JSON.stringify(newPlant) }),
    stored: async (id) => {
      const get = new GetCommand({ TableName: plantsTable, Key: { id }, ConsistentRead: true });
      return (await dynamodb.send(get)).Item;
    },
    stop: async () => {
      dynamodb.destroy();
      await stage.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
  return service;
}
