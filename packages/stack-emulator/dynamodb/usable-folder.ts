import { mkdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { codeOf, messageOf, UserError } from '../user-error.ts';

/** The size of the test write, in bytes: as much space as the template's tables need. */
const PROBE_BYTES = 64 * 1024;

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
    await mkdir(path, { recursive: true });
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
    const problem =
      codeOf(error) === 'LEVEL_LOCKED'
        ? 'is in use by another emulator: stop that emulator, or'
        : `cannot be used (${messageOf(error).trim()}):`;
    throw new UserError(`The data folder ${path} ${problem} set DATA_DIR to another folder`);
  }
}

async function open(path: string) {
  const { Level } = createRequire(resolve('dynalite'))('level');
  const level = new Level(path);
  await level.open();
  return level;
}
