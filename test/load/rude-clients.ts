import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from './requests.ts';

const HEAD = 'POST /plants HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';

/** Connections that take a place and give nothing. */
export interface RudeClients {
  /** Breaks them all off. */
  end(): void;
}

/** @param idle how many connections to open and never use */
export async function startRudeClients({ url, token }: Client, idle: number): Promise<RudeClients> {
  const sockets: Socket[] = [];
  const opened = async () => {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    socket.on('error', () => {});
    sockets.push(socket);
    await once(socket, 'connect');
    return socket;
  };
  for (let count = 0; count < idle; count += 1) await opened();
  // A request without a token is answered before its body is read, so these have one.
  const headWithToken = `${HEAD}Authorization: Bearer ${token}\r\n`;
  for (let count = 0; count < 20; count += 1) {
    // Half a head, half a body, and a body that comes byte by byte.
    (await opened()).write(HEAD);
    (await opened()).write(`${headWithToken}Content-Length: 100\r\n\r\n{"id":`);
    const slow = await opened();
    slow.write(`${headWithToken}Content-Length: 100000\r\n\r\n`);
    const drip = setInterval(() => slow.write(' '), 50).unref();
    slow.on('close', () => clearInterval(drip));
  }
  return {
    end: () => {
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** Sends requests in one go, without waiting for answers. @returns the statuses of the answers, in their order */
export async function pipeline({ url, token }: Client, ids: readonly number[]): Promise<number[]> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  let text = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  const requests = ids.map((id) => {
    const body = JSON.stringify({ id, name: 'pipelined' });
    return `${HEAD}Authorization: Bearer ${token}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  });
  socket.write(requests.join(''));
  const statuses = () => [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
  while (statuses().length < ids.length && !socket.destroyed) await sleep(5);
  socket.destroy();
  return statuses();
}
