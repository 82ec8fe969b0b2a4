import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { addressOf } from '../../emulator/listen.ts';

/** A request to DynamoDB: its operation, such as `PutItem`, or `GET` for the health check. */
export interface DynamodbRequest {
  readonly operation: string;
  readonly sessionToken: string | undefined;
  readonly body: unknown;
}

export type Reply = (response: ServerResponse, request: DynamodbRequest) => void;

/** A DynamoDB whose responses are scripted. */
export interface DynamodbStub {
  readonly endpoint: string;
  /** The requests received, in order. */
  readonly requests: DynamodbRequest[];
  /** The replies to the next requests; the last one repeats. */
  script: Reply[];
  readonly connections: ReadonlySet<Socket>;
  /** How many connections there have been. */
  readonly connected: () => number;
  readonly stop: () => Promise<void>;
}

export async function startDynamodbStub(...script: Reply[]): Promise<DynamodbStub> {
  const connections = new Set<Socket>();
  let connected = 0;
  const server = createServer(async (request, response) => {
    const received = await read(request);
    dynamodb.requests.push(received);
    if (received.operation === 'GET') {
      response.end('healthy: here');
      return;
    }
    const [reply = json(200, {}), ...rest] = dynamodb.script;
    if (rest.length > 0) dynamodb.script = rest;
    reply(response, received);
  });
  server.keepAliveTimeout = 60_000;
  server.on('connection', (socket) => {
    connected += 1;
    connections.add(socket);
    socket.on('close', () => connections.delete(socket));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const dynamodb: DynamodbStub = {
    endpoint: `http://127.0.0.1:${addressOf(server.address()).port}`,
    requests: [],
    script,
    connections,
    connected: () => connected,
    stop: async () => {
      for (const socket of connections) socket.destroy();
      await new Promise((stopped) => server.close(stopped));
    },
  };
  return dynamodb;
}

export const json =
  (status: number, body: object): Reply =>
  (response) => {
    response.writeHead(status, { 'Content-Type': 'application/x-amz-json-1.0' }).end(JSON.stringify(body));
  };

async function read(request: IncomingMessage): Promise<DynamodbRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString();
  const target = String(request.headers['x-amz-target'] ?? request.method);
  return {
    operation: target.replace(/^.*\./, ''),
    sessionToken: request.headers['x-amz-security-token']?.toString(),
    body: text === '' ? {} : JSON.parse(text),
  };
}
