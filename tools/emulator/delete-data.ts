import { existsSync } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { assertUsable, dynamodbFolder } from './dynamodb/data-folder.ts';
import { EmulatorError, messageOf } from './emulator-error.ts';
import { announcedEmulator } from './running-emulator.ts';

/**
 * Deletes the data of the embedded DynamoDB. Returns undefined if there is none.
 * @throws EmulatorError if an emulator is using the data
 */
export async function deleteData(
  dataDir: string,
): Promise<{ readonly folder: string; readonly bytes: number } | undefined> {
  const emulator = await announcedEmulator(dataDir);
  if (emulator !== undefined)
    throw new EmulatorError(
      `The emulator at ${emulator.url} is using ${dataDir}: stop the emulator, then try again`,
    );
  const folder = dynamodbFolder(dataDir);
  if (!existsSync(folder)) return undefined;
  // An emulator that is still starting is not announced yet, but has locked its data. Other errors, such as damaged
  // data, do not prevent the deletion.
  await assertUsable(dataDir).catch((error: unknown) => {
    if (messageOf(error).includes('in use by another emulator')) throw error;
  });
  const files = await readdir(folder, { recursive: true });
  const sizes = await Promise.all(files.map(async (file) => (await stat(join(folder, file))).size));
  await rm(folder, { recursive: true });
  return { folder, bytes: sizes.reduce((sum, size) => sum + size, 0) };
}
