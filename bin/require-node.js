/**
 * Makes every npm script run on Node 24 or newer: `.npmrc` preloads this file with `node-options`, and `cdk.json`
 * preloads it with `--import`.
 *
 * `npm ci` installs Node as a package: 24 or, on Apple silicon, 26. npm 11 puts it first on the PATH of every script.
 * npm 10 does not, so this file runs the command again with the installed Node (docs/decisions.md#node-from-npm). If
 * there is no such package for the platform, the user's own Node must be version 24 or newer.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, realpathSync } from 'node:fs';
import { delimiter, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

const NEEDED = 24;

// The path in NODE_OPTIONS is relative to this project, so commands in other projects must not inherit the variable.
delete process.env.NODE_OPTIONS;

const packages = new URL('../node_modules/', import.meta.url);
if (!existsSync(packages)) {
  console.error('The packages are not installed; run npm ci.');
  process.exit(1);
}

const [major] = process.versions.node.split('.');
if (Number(major) < NEEDED) {
  const windows = process.platform === 'win32';
  const name = `node-${windows ? 'win' : process.platform}-${process.arch}`;
  const node = fileURLToPath(new URL(`${name}/bin/node${windows ? '.exe' : ''}`, packages));
  // Stops here instead of respawning forever.
  if (!existsSync(node) || realpathSync(node) === process.execPath) {
    console.error(
      `Plant Store requires Node ${NEEDED} or newer, got ${process.version}. Run npm ci, which installs Node on most ` +
        `platforms, or install it for ${process.platform}-${process.arch} from https://nodejs.org.`,
    );
    process.exit(1);
  }
  const child = spawn(node, [...process.execArgv, ...process.argv.slice(1)], {
    stdio: 'inherit',
    // The command's child processes use this Node, too.
    env: { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env.PATH}` },
  });
  // The terminal sends Ctrl-C to both processes. This process ignores it, and waits until the other process exits.
  process.on('SIGINT', () => {});
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill('SIGTERM'));
  const [code] = await once(child, 'exit');
  // Exits here, so that the command does not also run on the old Node.
  process.exit(code ?? 1);
}
