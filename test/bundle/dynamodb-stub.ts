import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { listenOnLoopback } from '../support/loopback.ts';

/** A request to DynamoDB. The operation is, for example, `PutItem`, or `GET` for the health check. */
export interface DynamodbRequest {
  readonly operation: string;
  readonly sessionToken: string | undefined;
  readonly body: unknown;
}

export type Reply = (response: ServerResponse, request: DynamodbRequest) => void;

/** A server that takes DynamoDB's place and returns scripted responses. */
export interface DynamodbStub {
  readonly endpoint: string;
  /** The received requests, in order. */
  readonly requests: DynamodbRequest[];
  /** The replies to the next requests, in order; the last reply is repeated. */
  script: Reply[];
  readonly connections: ReadonlySet<Socket>;
  /** Returns how many connections clients have opened. */
  readonly connected: () => number;
  readonly stop: () => Promise<void>;
}

export async function startDynamodbStub(...script: Reply[]): Promise<DynamodbStub> {
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
  server.on('connection', () => {
    connected += 1;
  });
  const { url, connections, stop } = await listenOnLoopback(server);
  const dynamodb: DynamodbStub = {
    endpoint: url,
    requests: [],
    script,
    connections,
    connected: () => connected,
    stop,
  };
  return dynamodb;
}

export const json =
  (status: number, body: object): Reply =>
  (response) => {
    response.writeHead(status, { 'Content-Type': 'application/x-amz-json-1.0' }).end(JSON.stringify(body));
  };

async function read(request: IncomingMessage): Promise<DynamodbRequest> {
  const body = await text(request);
  const target = String(request.headers['x-amz-target'] ?? request.method);
  return {
    operation: target.replace(/^.*\./, ''),
    sessionToken: request.headers['x-amz-security-token']?.toString(),
    body: body === '' ? {} : JSON.parse(body),
  };
}
