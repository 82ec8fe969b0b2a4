import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import type { Emulator } from './emulator.ts';
import { addressOf } from './listen.ts';
import type { RunningVersion } from './running-stack.ts';
import { messageOf, UserError } from './user-error.ts';

const LOOPBACK = '127.0.0.1';
/** Longer than a busy emulator takes to send its id. */
const ID_TIMEOUT_MS = 10_000;
const FILE = 'emulator.json';

/** What other commands need to know about a running emulator. */
type EmulatorAddress = Pick<Emulator & RunningVersion, 'url' | 'dynamodbEndpoint' | 'outputs'>;
interface Announced extends EmulatorAddress {
  readonly id: string;
  readonly idPort: number;
}

/**
 * Writes the emulator's address to a file in its data folder, for other commands on this machine. If the emulator is
 * killed, the file remains, and another process may get the emulator's ports. The file therefore also contains an id,
 * which only this process sends to clients that connect to `idPort`.
 * @returns a function that removes the file, unless another emulator has since replaced the file
 * @throws UserError if the file cannot be written
 */
export async function announceEmulator(
  dataDir: string,
  { url, dynamodbEndpoint, outputs }: EmulatorAddress,
): Promise<() => Promise<void>> {
  const id = randomUUID();
  const server = createServer((socket) => socket.on('error', () => {}).end(id)).unref();
  await once(server.listen(0, LOOPBACK), 'listening');
  const idPort = addressOf(server.address()).port;
  const file = join(dataDir, FILE);
  try {
    await mkdir(dataDir, { recursive: true });
    await writeFile(file, `${JSON.stringify({ url, dynamodbEndpoint, outputs, id, idPort }, null, 2)}\n`);
  } catch (error) {
    throw new UserError(
      `The data folder ${dataDir} cannot be used (${messageOf(error)}): set DATA_DIR to another folder`,
    );
  }
  return async () => {
    server.close();
    const announced = await readFile(file, 'utf8').catch(() => '');
    if (announced.includes(id)) await rm(file, { force: true });
  };
}

/** @returns the address, or undefined if no running emulator is announced or the file cannot be read */
export async function announcedEmulator(dataDir: string): Promise<EmulatorAddress | undefined> {
  try {
    const announced: Announced = JSON.parse(await readFile(join(dataDir, FILE), 'utf8'));
    const { id, idPort, ...address } = announced;
    return (await sentBy(idPort)) === id ? address : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the first bytes that a port sends. @throws Error if no process listens on the port */
async function sentBy(port: number): Promise<string> {
  const socket = connect(port, LOOPBACK).setEncoding('utf8');
  socket.setTimeout(ID_TIMEOUT_MS, () => socket.destroy());
  for await (const text of socket) return String(text);
  return '';
}
