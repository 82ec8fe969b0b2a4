import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { afterAll } from '@jest/globals';
import {
  announceEmulator,
  type Emulator,
  type RunningVersion,
  startEmbeddedDynamoDB,
  startEmulator,
} from 'stack-emulator';
import { localDynamoDB } from '../../../tools/command-line/connect.ts';
import { issueToken } from '../../../tools/tokens/token-lifecycle.ts';
import { tableIn } from '../../../tools/tokens/tokens-table.ts';
import { synthesizedAssembly } from '../assembly/synthesized-assembly.ts';
import { type FailingProxy, startFailingProxy } from '../servers/failing-proxy.ts';
import { type HttpRequest, type HttpResponse, send } from './http.ts';

const stops: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const stop of stops) await stop();
});

/**
 * The service, run by the emulator from the synthesized template on free ports. It stops when the tests in the file have
 * ended.
 */
export interface Service {
  readonly emulator: Emulator & RunningVersion;
  readonly dataDir: string;
  /** Empty if the service has no tokens table. */
  readonly token: string;
  readonly dynamodb: DynamoDBDocumentClient;
  readonly log: readonly string[];
  /** Sends a request, by default with a valid token and media type. */
  send(request: HttpRequest): Promise<HttpResponse>;
}

export interface ServiceOptions {
  readonly assembly?: string | undefined;
  readonly dataDir?: string;
  readonly dynamodbEndpoint?: string;
}

export async function startTestService({
  assembly,
  dynamodbEndpoint,
  dataDir = newDataDir(),
}: ServiceOptions = {}): Promise<Service> {
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
  await announceEmulator(dataDir, emulator);
  const dynamodb = localDynamoDB(emulator.dynamodbEndpoint);
  const { TokensTableName: table } = emulator.outputs;
  const { token } = table
    ? await issueToken(tableIn(dynamodb, table), {
        client: 'end-to-end test',
        lifetimeSeconds: 3600,
      })
    : { token: '' };
  stops.push(async () => {
    dynamodb.destroy();
    await emulator.stop();
    await rm(dataDir, { recursive: true, force: true });
  });
  return {
    emulator,
    dataDir,
    token,
    dynamodb,
    log,
    send: (request) => send(emulator.url, { token, ...request }),
  };
}

function newDataDir(): string {
  return mkdtempSync(join(tmpdir(), 'plant-store-data-'));
}

export interface ProxiedService extends Service {
  readonly proxy: FailingProxy;
}

export async function startProxiedService(): Promise<ProxiedService> {
  const dataDir = newDataDir();
  const dynamodb = await startEmbeddedDynamoDB(dataDir, '127.0.0.1', 0);
  const proxy = await startFailingProxy(dynamodb.endpoint);
  const service = await startTestService({ dataDir, dynamodbEndpoint: proxy.url });
  stops.unshift(dynamodb.stop);
  return { ...service, proxy };
}
