import { cpSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { PROJECT, read as readOriginal } from '../pages/code-blocks.ts';
import { temporaryFolder } from '../temporary-folder.ts';

/** A copy of this project that a test can edit, and that exists until the tests in the file have ended. */
export interface EditedProject {
  readonly folder: string;
  read(file: string): string;
  /** Saves the file by replacing it with a new file, as many editors do. */
  save(file: string, content: string): void;
  /** Replaces `from` with `to` once, and saves the file. @throws Error if the file does not contain `from` */
  edit(file: string, from: string, to: string): void;
}

/** Copies every file that Git does not ignore; the copy uses the same packages. */
export function copyProject(): EditedProject {
  const ignored = readOriginal('.gitignore').trim().split(/\/?\n/);
  const isCopied = (path: string) => !['.git', ...ignored].includes(relative(PROJECT, path));
  const folder = temporaryFolder();
  cpSync(PROJECT, folder, { recursive: true, filter: isCopied });
  symlinkSync(join(PROJECT, 'node_modules'), join(folder, 'node_modules'), 'junction');
  const read = (file: string) => readFileSync(join(folder, file), 'utf8');
  const save = (file: string, content: string) => {
    const temporary = join(folder, 'saved.tmp');
    writeFileSync(temporary, content);
    renameSync(temporary, join(folder, file));
  };
  return {
    folder,
    read,
    save,
    edit(file, from, to) {
      if (!read(file).includes(from)) throw new Error(`${file} does not contain ${from}`);
      save(file, read(file).replace(from, to));
    },
  };
}
