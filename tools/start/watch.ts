import { type FSWatcher, readdirSync, watch } from 'node:fs';
import { basename, join } from 'node:path';
import { isNativeError } from 'node:util/types';

/** Editors save a file in several steps; all steps within this time count as one save. */
const DEBOUNCE_MS = 30;

/**
 * Watches folders, including their subfolders, and individual files in the project's folder. Each folder has its own
 * watcher, because on Linux, recursive `fs.watch` misses files that replace others, and many editors save a file by
 * replacing it.
 *
 * @param print receives a message, once for each reason, if a folder cannot be watched; the other folders are still
 *   watched
 * @param onSave receives the paths that were saved at about the same time, relative to the project, separated by `/`
 */
export function watchSaves(
  project: string,
  { folders, files }: { readonly folders: readonly string[]; readonly files: readonly string[] },
  print: (message: string) => void,
  onSave: (paths: readonly string[]) => void,
): void {
  const saved = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let watchers: FSWatcher[] = [];
  const printed = new Set<unknown>();

  const add = (path: string) => {
    saved.add(path);
    clearTimeout(timer);
    timer = setTimeout(() => {
      const paths = [...saved];
      saved.clear();
      watchFolders();
      onSave(paths);
    }, DEBOUNCE_MS);
  };
  const attempt = (folder: string, work: () => void) => {
    try {
      work();
    } catch (error) {
      if (!isNativeError(error) || !('code' in error)) throw error;
      // The folder was removed, or is briefly a file. The parent folder's watcher reports when the folder is back.
      if (error.code === 'ENOENT' || error.code === 'ENOTDIR' || printed.has(error.code)) return;
      printed.add(error.code);
      print(
        `Cannot watch ${folder}/ for changes (${error.message}): fix the cause, then run npm start again.`,
      );
    }
  };
  const watchFolder = (folder: string, onChange: (file: string) => void) =>
    attempt(folder, () => {
      const watcher = watch(
        join(project, folder),
        { persistent: false },
        (_, file) => file && onChange(file),
      );
      // Ignores the error that removing the folder causes on Windows.
      watchers.push(watcher.on('error', () => {}));
    });
  const watchTree = (folder: string) => {
    // Watch the folder before reading it, so that no folder added in between is missed.
    watchFolder(folder, (file) => isSource(file) && add(`${folder}/${file}`));
    attempt(folder, () => {
      for (const entry of readdirSync(join(project, folder), { withFileTypes: true }))
        if (entry.isDirectory()) watchTree(`${folder}/${entry.name}`);
    });
  };
  const watchFolders = () => {
    const before = watchers;
    watchers = [];
    // This watcher also notices when a watched folder is removed and created again.
    watchFolder('.', (file) => [...files, ...folders].includes(file) && add(file));
    folders.forEach(watchTree);
    // Close the old watchers only now, so that no save is missed.
    for (const watcher of before) watcher.close();
  };
  watchFolders();
}

/** Whether a path is a source file or a folder, and not an editor's temporary file. */
function isSource(path: string): boolean {
  const name = basename(path);
  return !name.startsWith('.') && (/\.(ts|js|mjs|json)$/.test(name) || !name.includes('.'));
}
