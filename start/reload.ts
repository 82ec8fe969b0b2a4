import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { styleText } from 'node:util';
import { type Emulator, EmulatorError } from '../emulator/index.ts';
import { assetsOf, type Bundle, type Bundler } from './bundler.ts';
import type { Synthesizer } from './synthesizer.ts';
import { TypeChecker } from './type-check.ts';
import { watchSaves } from './watch.ts';

/** Longer than a request may take: until then, one may still start a worker from the old folder. */
const REMOVE_AFTER_MS = 60_000;

interface Version {
  readonly assembly: string;
  readonly bundles: readonly Bundle[];
}

/** Includes the version that the emulator runs at the start. */
export interface ReloadOptions extends Version {
  readonly project: string;
  readonly emulator: Pick<Emulator, 'holdRequests' | 'reload'>;
  readonly bundler: Bundler;
  readonly synthesizer: Synthesizer;
  readonly print: (message: string) => void;
  /** Ends what is in progress, without a message. */
  readonly stopping: AbortSignal;
}

/**
 * Runs what is saved in `lambda/` and `lib/`, and regenerates what comes from `openapi.json`. A save that cannot run
 * changes nothing. Prints a line for each reload, each failure, and the type errors.
 */
export function reloadOnSave(options: ReloadOptions): void {
  const { project, emulator, bundler, synthesizer, print, stopping } = options;
  let current: Version = options;
  /** What `current` would have if everything that is saved could run. */
  let newestAssembly = options.assembly;
  let broken = false;
  let lastReload: Promise<unknown> = Promise.resolve();

  /** Replaces what runs, all at once. @returns what was done, if anything has changed */
  const reload = (): Promise<string | undefined> => {
    const result = lastReload.then(async () => {
      const next = { assembly: newestAssembly, bundles: await bundler.build(current.bundles) };
      const changed = next.bundles.filter((bundle) => !current.bundles.includes(bundle));
      const names: string[] = changed.map(({ name }) => name);
      if (next.assembly !== current.assembly) names.unshift('the stack');
      if (names.length === 0) {
        if (!broken) return undefined;
        broken = false;
        return 'Returned to the last good version';
      }
      let unused: Version = next;
      try {
        await emulator.reload({ assembly: next.assembly, assets: assetsOf(next.bundles) });
        [current, unused] = [next, current];
        broken = false;
      } finally {
        const used = [...foldersOf(current), newestAssembly];
        for (const folder of foldersOf(unused)) if (!used.includes(folder)) removeLater(folder);
      }
      return `Reloaded ${names.join(', ')}`;
    });
    lastReload = result.catch(() => {});
    return result;
  };

  /** Prints what `work` returns, with the time since the save. @returns false if it failed */
  const report = async (savedAt: number, work: () => Promise<string | undefined>): Promise<boolean> => {
    try {
      const done = await work();
      if (done === undefined) return true;
      print(`${done} in ${Math.round(performance.now() - savedAt)} ms.`);
      return true;
    } catch (error) {
      if (stopping.aborted) return false;
      if (!(error instanceof EmulatorError)) throw error;
      print(`${styleText('red', error.message, { stream: process.stderr })}\nThe last good version runs on.`);
      broken = true;
      return false;
    }
  };
  const reloadStack = async () => {
    print('Synthesizing the stack …');
    const assembly = await synthesizer.synthesize();
    if (assembly === undefined) return undefined;
    newestAssembly = assembly;
    return reload();
  };
  let lastGeneration: Promise<unknown> = Promise.resolve();
  /** One after the other, so that the last one reads the last save. */
  const generate = () => {
    const result = lastGeneration.then(async () => {
      await run('scripts/generate.ts', project, stopping);
      return 'Generated lambda/generated/ from openapi.json';
    });
    lastGeneration = result.catch(() => {});
    return result;
  };
  let stackReload: Promise<unknown> = Promise.resolve();
  const types = new TypeChecker(print);
  stopping.addEventListener('abort', () => types.cancel());
  const watched = { folders: ['lambda', 'lib'], files: ['openapi.json'] };
  watchSaves(project, watched, async (paths, savedAt) => {
    if (stopping.aborted) return;
    types.cancel();
    bundler.invalidate(paths.map((path) => join(project, path)));
    const hasSaveIn = (folder: string) => paths.some((path) => path.startsWith(folder));
    // The files that it writes are reloaded as the next save.
    if (paths.includes('openapi.json')) await report(savedAt, generate);
    // It also builds the functions, so that lib/ and lambda/ go live together.
    if (hasSaveIn('lib/')) {
      stackReload = report(savedAt, reloadStack);
      await stackReload;
    } else if (hasSaveIn('lambda/')) {
      // It may belong to a save in lib/ just before, whose synthesis has not ended.
      await stackReload;
      const reloaded = report(savedAt, reload);
      emulator.holdRequests(reloaded);
      if ((await reloaded) && hasSaveIn('lambda/shared/')) await report(savedAt, reloadStack);
    }
    if (!stopping.aborted) types.check();
  });
  // What was saved while the emulator started.
  bundler.invalidate([join(project, 'lambda')]);
  void report(performance.now(), reload);
}

function foldersOf({ assembly, bundles }: Version): readonly string[] {
  return [assembly, ...bundles.map(({ folder }) => folder)];
}

function removeLater(folder: string): void {
  setTimeout(() => rm(folder, { recursive: true, force: true }), REMOVE_AFTER_MS).unref();
}

/** Runs a script of the project. @throws EmulatorError with what it wrote to stderr if it fails */
function run(script: string, cwd: string, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [script], { cwd, signal }, (error, _stdout, stderr) => {
      if (error === null) resolve();
      else reject(new EmulatorError(`${script} failed:\n${stderr.trim()}`));
    });
  });
}
