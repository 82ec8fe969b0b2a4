/**
 * `npm run check:tools`: checks, for each tool, that the repository works without it. In a copy of the repository, it
 * deletes the tool and everything else that tools/README.md says to delete with it, and checks the rest.
 * `npm run check:tools -- sam where` checks only the tools `sam` and `where`.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

const project = join(import.meta.dirname, '..');
const checks = ['tsc', 'biome lint --reporter=github .', 'jest --listTests'];

const tools = process.argv.slice(2);
for (const [folder, named] of deletableTools()) {
  if (tools.length > 0 && !tools.includes(basename(folder))) continue;
  const copy = mkdtempSync(join(tmpdir(), 'plant-store-tools-'));
  for (const file of execFileSync('git', ['ls-files'], { cwd: project, encoding: 'utf8' }).trim().split('\n'))
    cpSync(join(project, file), join(copy, file));
  symlinkSync(join(project, 'node_modules'), join(copy, 'node_modules'));
  for (const name of [folder, ...named]) {
    const [, script] = /^npm run (.+)$/.exec(name) ?? [];
    const [, text = '', file] = /^(\S+) in (\S+)$/.exec(name) ?? [];
    if (script !== undefined) {
      const workflows = globSync('.github/workflows/*.yml', { cwd: copy });
      const pattern = new RegExp(`^\\s*("${script}": |- run: npm run ${script}( |$))`);
      for (const each of ['package.json', ...workflows])
        removeLines(join(copy, each), (line) => pattern.test(line));
    } else if (file !== undefined) removeLines(join(copy, file), (line) => line.includes(text));
    else rmSync(join(copy, name), { recursive: true });
  }
  const failed = checks.filter((check) => !succeeds(check, copy));
  console.log(`${folder}: ${failed.length === 0 ? 'can be deleted' : `${failed.join(', ')} failed`}`);
  if (failed.length > 0) process.exitCode = 1;
  rmSync(copy, { recursive: true });
}

/** Returns the folder of each tool that can be deleted, and the other things to delete with it. */
function deletableTools(): [folder: string, named: string[]][] {
  const table = readFileSync(join(project, 'tools/README.md'), 'utf8').matchAll(
    /^\| \[?`(.+?)\/`[^|]*\|[^|]*\|([^|]*)\|$/gm,
  );
  return [...table]
    .map(([, name = '', named = '']): [string, string[]] => [
      join('tools', name),
      [...named.matchAll(/`(.+?)`/g)].map(([, path = '']) => path),
    ])
    .filter(([, named]) => named.length > 0);
}

function removeLines(file: string, isRemoved: (line: string) => boolean): void {
  const lines = readFileSync(file, 'utf8').split('\n');
  const kept = lines.filter((line) => !isRemoved(line)).join('\n');
  // In JSON, no comma can follow the last script.
  writeFileSync(file, file.endsWith('.json') ? kept.replace(/,(\n {2}\})/, '$1') : kept);
}

function succeeds(check: string, cwd: string): boolean {
  const [command = '', ...args] = check.split(' ');
  const { status, stdout, stderr } = spawnSync(join(project, 'node_modules/.bin', command), args, {
    cwd,
    encoding: 'utf8',
  });
  if (status !== 0) console.error(`${stdout}${stderr}`);
  return status === 0;
}
