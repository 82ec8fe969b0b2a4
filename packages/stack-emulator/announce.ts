import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Emulator } from './emulator.ts';
import { reasonOf, UserError } from './errors.ts';
import type { RunningVersion } from './running-stack.ts';

const FILE = 'emulator.json';

/** What other commands need to know about a running emulator. */
type Announced = Pick<Emulator & RunningVersion, 'url' | 'id' | 'dynamodbEndpoint' | 'outputs'>;

/**
 * Announces an emulator to other commands on this machine, in a file in its data folder.
 * @returns a function that removes the file
 * @throws UserError if the file cannot be written, or is the file of another running emulator
 */
export async function announceEmulator(
  dataDir: string,
  { url, id, dynamodbEndpoint, outputs }: Announced,
): Promise<() => Promise<void>> {
  const other = await findEmulator(dataDir);
  if (other !== undefined) {
    throw new UserError(
      `The emulator at ${other.url} uses the data folder ${dataDir}: set DATA_DIR to another folder`,
    );
  }
  const file = join(dataDir, FILE);
  const announced = { url, id, dynamodbEndpoint, outputs, pid: process.pid };
  try {
    await mkdir(dataDir, { recursive: true });
    await writeFile(file, `${JSON.stringify(announced, null, 2)}\n`);
  } catch (error) {
    throw new UserError(
      `The data folder ${dataDir} cannot be used (${reasonOf(error)}): set DATA_DIR to another folder`,
    );
  }
  return () => rm(file, { force: true });
}

/**
 * An emulator that was killed leaves its file behind, and another program may have its port now. An emulator is
 * therefore running only if it responds to its id.
 * @returns what it announced, or undefined if it is not running or the file cannot be read
 */
export async function findEmulator(dataDir: string): Promise<Announced | undefined> {
  try {
    const announced: Announced = JSON.parse(await readFile(join(dataDir, FILE), 'utf8'));
    const signal = AbortSignal.timeout(5_000);
    const { status } = await fetch(`${announced.url}/${announced.id}`, { signal });
    return status === 204 ? announced : undefined;
  } catch {
    return undefined;
  }
}
