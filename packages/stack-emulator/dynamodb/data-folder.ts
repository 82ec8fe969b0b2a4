import { mkdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { codeOf, reasonOf, UserError } from '../errors.ts';

/** As much space as the template's tables need. */
const TEST_WRITE_BYTES = 64 * 1024;

const { resolve } = createRequire(import.meta.url);

/**
 * Returns the path of the folder for DynamoDB's data. Checks that this folder can be used, because dynalite opens its
 * files late, and hides the reason for a failure.
 * @throws UserError if the folder cannot be used
 */
export async function usableFolder(dataDir: string): Promise<string> {
  const path = join(dataDir, 'dynamodb');
  try {
    await mkdir(path, { recursive: true });
    // Loading LevelDB in this thread too keeps its code in memory: a LevelDB thread can outlive the worker, and would
    // crash the process if Node had unloaded that code with the worker.
    const level = await open(path);
    try {
      await level.put('test write', 'x'.repeat(TEST_WRITE_BYTES));
      await level.del('test write');
    } finally {
      await level.close();
    }
    return path;
  } catch (error) {
    const problem =
      codeOf(error) === 'LEVEL_LOCKED'
        ? 'is in use by another emulator: stop that emulator, or'
        : `cannot be used (${reasonOf(error).trim()}):`;
    throw new UserError(`The data folder ${path} ${problem} set DATA_DIR to another folder`);
  }
}

async function open(path: string) {
  const { Level } = createRequire(resolve('dynalite'))('level');
  const level = new Level(path);
  await level.open();
  return level;
}
