import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startEmbeddedDynamoDB } from '../../../tools/emulator/dynamodb/embedded.ts';
import { type Service, startService } from '../service/service.ts';
import { listenOnLoopback } from './loopback.ts';

/** What can happen to a request to DynamoDB, and how often out of 100 requests. */
export const weightedFaults = [
  ['none', 62],
  ['throttled', 7],
  ['above the provisioned throughput', 7],
  ['failed with 500', 7],
  ['reset before it was applied', 5],
  ['applied, but the response is lost', 5],
  ['applied, but the response is cut in half', 4],
  ['applied, but the response does not end', 1],
  ['stalled and never applied', 1],
  ['stalled, then applied', 1],
] as const;

export type Fault = (typeof weightedFaults)[number][0];

/** The functions wait 1 s for a response. The rest is for their next attempt on a slow machine. */
const STALL_MS = 2_500;

/** Headers of the connection to the proxy. */
const OF_CONNECTION = ['host', 'connection', 'content-length'];

export interface FaultProxy {
  readonly url: string;
  /** Chooses the fault for each request. */
  decide: (operation: string) => Fault;
  /** The faults of all requests so far. */
  readonly faults: readonly Fault[];
  /** Resolves when no delayed request can still reach DynamoDB. */
  settled(): Promise<void>;
  stop(): Promise<void>;
}

interface Reply {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: Buffer;
}

/** A proxy in front of DynamoDB that simulates the failures of a network and of DynamoDB. */
export async function startFaultProxy(target: string): Promise<FaultProxy> {
  const faults: Fault[] = [];
  const underWay = new Set<Promise<void>>();

  const server = createServer((incoming, response) => {
    const serving = serve(incoming, response).catch(() => {
      incoming.socket.destroy();
    });
    underWay.add(serving);
    void serving.finally(() => underWay.delete(serving));
  });
  server.keepAliveTimeout = 60_000;

  async function serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    incoming.on('error', () => {});
    response.on('error', () => {});
    const call = Buffer.concat(await incoming.toArray());
    const fault = proxy.decide(String(incoming.headers['x-amz-target']).split('.')[1] ?? '');
    faults.push(fault);
    const forward = () => exchange(target, incoming, call);
    switch (fault) {
      case 'none':
        return reply(response, await forward());
      case 'throttled':
        return reply(response, failure(400, 'ThrottlingException'));
      case 'above the provisioned throughput':
        return reply(response, failure(400, 'ProvisionedThroughputExceededException'));
      case 'failed with 500':
        return reply(response, failure(500, 'InternalServerError'));
      case 'reset before it was applied':
        break;
      case 'applied, but the response is lost':
        await forward();
        break;
      case 'applied, but the response is cut in half':
      case 'applied, but the response does not end': {
        const { status, headers, body } = await forward();
        const isCut = fault === 'applied, but the response is cut in half';
        response.writeHead(status, { ...headers, 'content-length': body.length + 1 });
        response.write(
          isCut ? body.subarray(0, body.length / 2) : body,
          () => isCut && incoming.socket.destroy(),
        );
        if (isCut) return;
        await sleep(STALL_MS);
        break;
      }
      case 'stalled and never applied':
        await sleep(STALL_MS);
        break;
      case 'stalled, then applied':
        await sleep(STALL_MS);
        await forward();
        break;
    }
    incoming.socket.resetAndDestroy();
  }

  const { url, stop } = await listenOnLoopback(server);
  const proxy: FaultProxy = {
    url,
    decide: () => 'none',
    faults,
    settled: async () => {
      await Promise.all(underWay);
    },
    stop: async () => {
      await Promise.all(underWay);
      await stop();
    },
  };
  return proxy;
}

function failure(status: number, type: string): Reply {
  const body = JSON.stringify({
    __type: `com.amazonaws.dynamodb.v20120810#${type}`,
    message: 'on purpose',
  });
  return {
    status,
    headers: { 'content-type': 'application/x-amz-json-1.0' },
    body: Buffer.from(body),
  };
}

function reply(response: ServerResponse, { status, headers, body }: Reply): void {
  response.writeHead(status, { ...headers, 'content-length': body.length }).end(body);
}

async function exchange(
  target: string,
  { headers }: IncomingMessage,
  body: Buffer<ArrayBuffer>,
): Promise<Reply> {
  const sent = Object.entries(headers).filter(([name]) => !OF_CONNECTION.includes(name));
  const response = await fetch(target, {
    method: 'POST',
    headers: sent.map(([name, value]): [string, string] => [name, String(value)]),
    body,
  });
  const passed = ['content-type', 'x-amzn-requestid'].map((name) => [
    name,
    String(response.headers.get(name)),
  ]);
  return {
    status: response.status,
    headers: Object.fromEntries(passed),
    body: Buffer.from(await response.arrayBuffer()),
  };
}

/** The service with a proxy between it and DynamoDB. */
export interface FaultyService extends Service {
  readonly proxy: FaultProxy;
}

export async function startFaultyService(assembly?: string): Promise<FaultyService> {
  const dataDir = await mkdtemp(join(tmpdir(), 'plant-store-data-'));
  const dynamodb = await startEmbeddedDynamoDB(dataDir, '127.0.0.1', 0);
  const proxy = await startFaultProxy(dynamodb.endpoint);
  const service = await startService({ assembly, dynamodbEndpoint: proxy.url });
  const stop = async () => {
    await service.stop();
    await proxy.stop();
    await dynamodb.stop();
    await rm(dataDir, { recursive: true });
  };
  return { ...service, dataDir, proxy, stop };
}
