import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';

const MODULE = join(import.meta.dirname, '../../watch.ts');
const NOBODY = 65_534;

let project: string;
beforeEach(() => {
  project = mkdtempSync(join(tmpdir(), 'plant-store-watch-'));
  chmodSync(project, 0o777);
});
afterEach(() => rmSync(project, { recursive: true }));

/** Runs `code` with a watch of lambda/ and lib/, by a user whom file permissions concern. @returns what it prints */
function watch(code: string): string {
  const script = `
    import fs from 'node:fs';
    import { syncBuiltinESMExports } from 'node:module';
    for (const folder of ['lambda/a', 'lambda/b/c', 'lib']) fs.mkdirSync(folder, { recursive: true });
    let onSave = () => {};
    const watch = async () => {
      const { watchSaves } = await import(${JSON.stringify(MODULE)});
      const watched = { folders: ['lambda', 'lib'], files: ['openapi.json'] };
      watchSaves(process.cwd(), watched, (message) => console.log(message), (paths) => onSave(paths));
    };
    // Prints the path when it is noticed.
    const notice = async (path, change = () => fs.writeFileSync(path, String(performance.now()))) => {
      const noticed = Promise.withResolvers();
      onSave = (paths) => paths.includes(path) && noticed.resolve(path);
      const deadline = setTimeout(noticed.resolve, 10_000, path + ' unnoticed');
      change();
      console.log(await noticed.promise);
      clearTimeout(deadline);
    };
    ${code}
    process.exit();`;
  const user = process.getuid?.() === 0 ? { uid: NOBODY } : {};
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    cwd: project,
    encoding: 'utf8',
    ...user,
  });
  return stdout + stderr;
}

describe('npm start notices saves beside', () => {
  test('a folder that cannot be read, which it names, and in it when it can be', () => {
    const printed = watch(`
      fs.chmodSync('lambda/b/c', 0);
      await watch();
      await notice('lambda/b/a.ts');
      await notice('lambda/b/c', () => fs.chmodSync('lambda/b/c', 0o700));
      await notice('lambda/b/c/a.ts');`);
    expect(printed).toBe(
      `Saves in lambda/b/c/ go unnoticed (EACCES: permission denied, watch '${project}/lambda/b/c'): fix that and start again.
lambda/b/a.ts
lambda/b/c
lambda/b/c/a.ts
`,
    );
  });

  test('lambda/ that cannot be read or is a file for a moment, and in it later', () => {
    const printed = watch(`
      await watch();
      await notice('lambda', () => fs.chmodSync('lambda', 0));
      await notice('lambda', () => fs.chmodSync('lambda', 0o700));
      await notice('lambda', () => fs.renameSync('lambda', 'moved'));
      await notice('lambda');
      await notice('lib/a.ts');
      await notice('lambda', () => fs.rmSync('lambda'));
      await notice('lambda', () => fs.renameSync('moved', 'lambda'));
      await notice('lambda/b/c/a.ts');`);
    expect(printed).toMatch(
      /^Saves in lambda\/ go unnoticed \(EACCES: .*\n(lambda\n){4}lib\/a.ts\n(lambda\n){2}lambda\/b\/c\/a.ts\n$/,
    );
  });

  test('a folder that is removed while it looks for folders', () => {
    const printed = watch(`
      const { readdirSync } = fs;
      fs.readdirSync = (folder, options) => [
        ...(folder.endsWith('lambda') ? [{ name: 'removed', isDirectory: () => true }] : []),
        ...readdirSync(folder, options),
      ];
      syncBuiltinESMExports();
      await watch();
      await notice('lambda/b/c/a.ts');`);
    expect(printed).toBe('lambda/b/c/a.ts\n');
  });

  test('the folders that the system is too short of watchers for, and starts', () => {
    const printed = watch(`
      const watchFolder = fs.watch;
      fs.watch = (folder, ...more) => {
        if (!folder.includes('lambda')) return watchFolder(folder, ...more);
        throw Object.assign(new Error('EMFILE: too many open files, watch'), { code: 'EMFILE' });
      };
      syncBuiltinESMExports();
      await watch();
      await notice('lib/a.ts');`);
    expect(printed).toBe(
      'Saves in lambda/ go unnoticed (EMFILE: too many open files, watch): fix that and start again.\nlib/a.ts\n',
    );
  });
});
