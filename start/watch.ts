import { type FSWatcher, readdirSync, watch } from 'node:fs';
import { basename, join, relative, sep } from 'node:path';
import { isNativeError } from 'node:util/types';

/** An editor saves a file in several steps. */
const DEBOUNCE_MS = 30;

/** What was saved at about the same time, relative to the project and with `/`, and when, as `performance.now()`. */
type OnSave = (paths: readonly string[], savedAt: number) => void;

/**
 * Watches folders with all that is in them, and files in the project's own folder. Each folder has a watcher of its
 * own: with `recursive`, `fs.watch` on Linux misses files that replace others, which is how many editors save.
 */
export function watchSaves(
  project: string,
  { folders, files }: { readonly folders: readonly string[]; readonly files: readonly string[] },
  onSave: OnSave,
): void {
  const saved = new Set<string>();
  let savedAt = 0;
  let timer: NodeJS.Timeout | undefined;
  let watchers: readonly FSWatcher[] = [];

  const add = (path: string) => {
    if (saved.size === 0) savedAt = performance.now();
    saved.add(path);
    clearTimeout(timer);
    timer = setTimeout(() => {
      const paths = [...saved];
      saved.clear();
      watchFolders();
      onSave(paths, savedAt);
    }, DEBOUNCE_MS);
  };
  const watchFolders = () => {
    const before = watchers;
    watchers = folders
      .flatMap((folder) => [folder, ...subfolders(project, folder)])
      .flatMap((folder) =>
        watcherOf(join(project, folder), (file) => isSource(file) && add(`${folder}/${file}`)),
      );
    // Only now, so that no save is missed.
    for (const watcher of before) watcher.close();
  };

  watchFolders();
  // A folder that is removed and created again, too.
  watcherOf(project, (file) => [...files, ...folders].includes(file) && add(file));
}

function subfolders(project: string, folder: string): readonly string[] {
  const entries = unlessRemoved(() =>
    readdirSync(join(project, folder), { recursive: true, withFileTypes: true }),
  );
  return entries
    .filter((entry) => entry.isDirectory())
    .map((entry) => relative(project, join(entry.parentPath, entry.name)).replaceAll(sep, '/'));
}

function watcherOf(folder: string, onChange: (file: string) => void): readonly FSWatcher[] {
  return unlessRemoved(() => {
    const watcher = watch(folder, { persistent: false }, (_, file) => file !== null && onChange(file));
    // On Windows, a folder that is removed.
    return [watcher.on('error', () => {})];
  });
}

/** @returns nothing if a folder has just been removed */
function unlessRemoved<Value>(read: () => readonly Value[]): readonly Value[] {
  try {
    return read();
  } catch (error) {
    if (isNativeError(error) && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}

/** A source file or a folder, and not a file in which an editor keeps what is not saved yet. */
function isSource(path: string): boolean {
  const name = basename(path);
  return !name.startsWith('.') && (/\.(ts|js|mjs|json)$/.test(name) || !name.includes('.'));
}
