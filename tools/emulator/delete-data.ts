import { existsSync } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { startEmbeddedDynamoDB } from './dynamodb/embedded.ts';
import { EmulatorError, messageOf } from './emulator-error.ts';
import { announcedEmulator } from './running-emulator.ts';

export interface DeletedData {
  readonly folder: string;
  readonly bytes: number;
}

/**
 * Deletes the data of the embedded DynamoDB.
 * @returns undefined if there are none
 * @throws EmulatorError if an emulator uses them
 */
export async function deleteData(dataDir: string): Promise<DeletedData | undefined> {
  const emulator = await announcedEmulator(dataDir);
  if (emulator !== undefined)
    throw new EmulatorError(`The emulator at ${emulator.url} uses ${dataDir}: stop it, and try again`);
  const folder = join(dataDir, 'dynamodb');
  if (!existsSync(folder)) return undefined;
  await assertUnused(dataDir);
  const files = await readdir(folder, { recursive: true });
  const sizes = await Promise.all(files.map(async (file) => (await stat(join(folder, file))).size));
  await rm(folder, { recursive: true });
  return { folder, bytes: sizes.reduce((sum, size) => sum + size, 0) };
}

/** An emulator that is starting is not announced yet, but has locked its data. Damaged data can be deleted. */
async function assertUnused(dataDir: string): Promise<void> {
  try {
    await (await startEmbeddedDynamoDB({ dataDir, host: '127.0.0.1', port: 0 })).stop();
  } catch (error) {
    if (messageOf(error).includes('in use by another emulator')) throw error;
  }
}
