import { lstat, mkdir, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { codeOf, messageOf, UserError } from '../user-error.ts';

/** The size of the test write, in bytes: as much space as the template's tables need. */
const PROBE_BYTES = 64 * 1024;

/** Marks a folder that the emulator has created, and may therefore delete. */
const MARKER = 'created-by-emulator';

const { resolve } = createRequire(import.meta.url);

export function dynamodbFolder(dataDir: string): string {
  return join(dataDir, 'dynamodb');
}

/**
 * Checks that the data folder can be used, because dynalite opens its files late, and hides the reason for a failure.
 * @throws UserError if the folder cannot be used
 */
export async function assertUsable(dataDir: string): Promise<void> {
  const path = dynamodbFolder(dataDir);
  try {
    const created = await mkdir(path, { recursive: true });
    if (created !== undefined) await writeFile(join(path, MARKER), '');
    // Loading LevelDB in this thread too keeps its code in memory: a LevelDB thread can outlive the worker, and would
    // crash the process if Node had unloaded that code with the worker.
    const level = await open(path);
    try {
      await level.put('probe', 'x'.repeat(PROBE_BYTES));
      await level.del('probe');
    } finally {
      await level.close();
    }
  } catch (error) {
    const reason = messageOf(error).trim();
    const problems: Readonly<Record<string, string>> = {
      LEVEL_LOCKED: 'is in use by another emulator: stop that emulator, or',
      LEVEL_CORRUPTION: `is damaged (${reason}): remove the folder, or`,
    };
    const problem = problems[codeOf(error) ?? ''] ?? `cannot be used (${reason}):`;
    throw new UserError(`The data folder ${path} ${problem} set DATA_DIR to another folder`);
  }
}

/**
 * Deletes the data of the embedded DynamoDB.
 * @param announce receives the folder before it is deleted
 * @returns whether there was any data
 * @throws UserError if the emulator did not create the folder, or if an emulator is using it
 */
export async function deleteData(
  dataDir: string,
  announce: (folder: string) => void,
): Promise<boolean> {
  const folder = dynamodbFolder(dataDir);
  const found = await lstat(folder).catch(() => undefined);
  if (found === undefined) return false;
  // A link is not followed, because its target is not the emulator's.
  const marker = found.isDirectory() && (await lstat(join(folder, MARKER)).catch(() => undefined));
  if (!marker) {
    throw new UserError(
      `${folder} was not created by the emulator, so nothing was deleted: set DATA_DIR to the emulator's folder, or delete it yourself`,
    );
  }
  try {
    await (await open(folder)).close();
  } catch (error) {
    // Other errors, such as damaged data, do not mean that the folder is in use.
    if (codeOf(error) === 'LEVEL_LOCKED') {
      throw new UserError(
        `An emulator is using ${folder}, so nothing was deleted: stop the emulator first`,
      );
    }
  }
  announce(folder);
  await rm(folder, { recursive: true });
  return true;
}

async function open(path: string) {
  const { Level } = createRequire(resolve('dynalite'))('level');
  const level = new Level(path);
  await level.open();
  return level;
}
