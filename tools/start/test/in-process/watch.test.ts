import fs, { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { watchSaves } from '../../watch.ts';

let project: string;
beforeEach(() => {
  project = mkdtempSync(join(tmpdir(), 'plant-store-watch-'));
  for (const folder of ['lambda/b/c', 'lib']) mkdirSync(join(project, folder), { recursive: true });
});
afterEach(() => {
  jest.restoreAllMocks();
  rmSync(project, { recursive: true });
});

function watch() {
  const printed: string[] = [];
  let onSave: (paths: readonly string[]) => void = () => {};
  const watched = { folders: ['lambda', 'lib'], files: ['openapi.json'] };
  watchSaves(
    project,
    watched,
    (message) => printed.push(message),
    (paths) => onSave(paths),
  );
  /** Resolves when watchSaves reports the path; otherwise, the test times out. */
  const noticed = (path: string, change = (file: string) => writeFileSync(file, 'saved')) =>
    new Promise<void>((resolve) => {
      onSave = (paths) => paths.includes(path) && resolve();
      change(join(project, path));
    });
  return { printed, noticed };
}

test('npm start notices saves in a folder that was removed or was briefly a file, and in other folders', async () => {
  const { printed, noticed } = watch();
  const moved = join(project, 'moved');
  await noticed('lambda', (lambda) => renameSync(lambda, moved));
  await noticed('lambda');
  await noticed('lib/a.ts');
  await noticed('lambda', (lambda) => rmSync(lambda));
  await noticed('lambda', (lambda) => renameSync(moved, lambda));
  await noticed('lambda/b/c/a.ts');
  expect(printed).toEqual([]);
});

test.each(['EMFILE: too many open files, watch', 'EACCES: permission denied, watch'])(
  'npm start still notices saves in other folders if a folder cannot be watched, and prints the reason once: %s',
  async (message) => {
    const watchFolder: typeof fs.watch = fs.watch;
    jest.spyOn(fs, 'watch').mockImplementation((folder, ...more) => {
      if (!String(folder).includes('lambda')) return watchFolder(folder, ...more);
      throw Object.assign(new Error(message), { code: message.slice(0, 6) });
    });
    const { printed, noticed } = watch();
    await noticed('lib/a.ts');
    expect(printed).toEqual([
      `Cannot watch lambda/ for changes (${message}): fix the cause, then run npm start again.`,
    ]);
  },
);
