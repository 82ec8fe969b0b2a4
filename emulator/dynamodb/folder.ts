import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { codeOf, EmulatorError } from '../emulator-error.ts';

/**
 * Makes a folder and those above it. Node's own `recursive` tries for ever where a folder exists but can't hold
 * another, and says ENOENT, as /proc does.
 */
export async function makeFolder(path: string): Promise<void> {
  if (await isFolder(path)) return;
  const parent = dirname(path);
  if (parent !== path) await makeFolder(parent);
  await mkdir(path).catch(async (error: unknown) => {
    // Another stage was faster.
    if (codeOf(error) !== 'EEXIST' || !(await isFolder(path))) throw error;
  });
}

async function isFolder(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return found?.isDirectory() ?? false;
}

/** Why a data folder can't be used, and what to do. */
export function folderError(code: string | undefined, message: string, path: string): EmulatorError {
  if (/No space left|ENOSPC|quota/i.test(message)) {
    return new EmulatorError(`The disk of the data folder ${path} is full: free some of it, or set DATA_DIR`);
  }
  switch (code) {
    case 'EACCES':
    case 'EROFS':
      return new EmulatorError(
        `The data folder ${path} can't be written: set DATA_DIR to another (${message})`,
      );
    case 'LEVEL_LOCKED':
      return new EmulatorError(
        `The data folder ${path} is in use by another stage: stop that, or set DATA_DIR`,
      );
    case 'LEVEL_CORRUPTION':
      return new EmulatorError(`The data folder ${path} is damaged: remove it or set DATA_DIR (${message})`);
    default:
      return new EmulatorError(
        `The data folder ${path} can't be used: set DATA_DIR to another (${message.trim()})`,
      );
  }
}
