import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { listenOnLoopback } from './loopback.ts';

export type Failure =
  | 'none'
  | 'throttled'
  | 'failed with 500'
  | 'reset before it was applied'
  | 'applied, but the response is lost'
  | 'applied, but the response is cut in half'
  | 'stalled, then applied';

/** The functions wait 1 s for a response. The rest is for their next attempt on a slow machine. */
const STALL_MS = 2_500;

const OF_CONNECTION = ['host', 'connection', 'content-length'];

export interface FailingProxy {
  readonly url: string;
  decide: () => Failure;
  readonly failures: readonly Failure[];
  /** The action of each request so far, as IAM names it: `dynamodb:PutItem`. */
  readonly actions: readonly string[];
  /** Resolves when no delayed request can still reach DynamoDB. */
  settled(): Promise<void>;
}

interface Reply {
  readonly status: number;
  readonly body: Buffer;
}

/** A proxy in front of DynamoDB that simulates the failures of a network and of DynamoDB. */
export async function startFailingProxy(target: string): Promise<FailingProxy> {
  const failures: Failure[] = [];
  const actions: string[] = [];
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
    actions.push(`${incoming.headers['x-amz-target']}`.replace('DynamoDB_20120810.', 'dynamodb:'));
    const failure = proxy.decide();
    failures.push(failure);
    const forward = () => exchange(target, incoming, call);
    switch (failure) {
      case 'none':
        return reply(response, await forward());
      case 'throttled':
        return reply(response, rejection(400, 'ThrottlingException'));
      case 'failed with 500':
        return reply(response, rejection(500, 'InternalServerError'));
      case 'reset before it was applied':
        break;
      case 'applied, but the response is lost':
        await forward();
        break;
      case 'applied, but the response is cut in half': {
        const { status, body } = await forward();
        response.writeHead(status, { 'content-length': body.length + 1 });
        response.write(body.subarray(0, body.length / 2), () => incoming.socket.destroy());
        return;
      }
      case 'stalled, then applied':
        await sleep(STALL_MS);
        await forward();
        break;
    }
    incoming.socket.resetAndDestroy();
  }

  const { url } = await listenOnLoopback(server);
  const proxy: FailingProxy = {
    url,
    decide: () => 'none',
    failures,
    actions,
    settled: async () => {
      await Promise.all(underWay);
    },
  };
  return proxy;
}

function rejection(status: number, type: string): Reply {
  const __type = `com.amazonaws.dynamodb.v20120810#${type}`;
  return { status, body: Buffer.from(JSON.stringify({ __type, message: 'on purpose' })) };
}

function reply(response: ServerResponse, { status, body }: Reply): void {
  response.writeHead(status, { 'content-type': 'application/x-amz-json-1.0' }).end(body);
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
  return { status: response.status, body: Buffer.from(await response.arrayBuffer()) };
}
