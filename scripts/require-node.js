/**
 * Runs first in every script, on whatever Node the user has: `node --import ./scripts/require-node.js …`. Before tools
 * that any Node runs, it only looks whether the packages are there.
 *
 * Node 24 comes with the packages. npm 11 puts it first on the PATH of every script; npm 10 forgets its link, and
 * then the script is run again by it from here (decision 0004). Where npm has no build of it for this platform, the
 * user's own must do.
 */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

const NEEDED = 24;
const LOOK_EVERY_MS = 250;

const packages = new URL('../node_modules/', import.meta.url);
if (!existsSync(packages)) {
  console.error('The packages are not installed: run npm ci, and then the command again.');
  process.exit(1);
}

const [major] = process.versions.node.split('.');
if (Number(major) < NEEDED) {
  const node = nodeOfThePackages();
  // The second where a Node of the packages is itself too old, lest it run itself for ever.
  if (!existsSync(node) || node === process.execPath) {
    console.error(
      `Plant Store runs on Node ${NEEDED}, and this is ${process.version}. npm ci brings it for most platforms; ` +
        `where it doesn't (${process.platform}-${process.arch}), install it from https://nodejs.org.`,
    );
    process.exit(1);
  }
  // Never returns: what follows on this Node must not run.
  process.exit(await runAgain(node));
}

function nodeOfThePackages() {
  const windows = process.platform === 'win32';
  const name = `node-${windows ? 'win' : process.platform}-${process.arch}`;
  return fileURLToPath(new URL(`${name}/bin/node${windows ? '.exe' : ''}`, packages));
}

/**
 * Runs this very command on another Node, which is then first on the PATH of all that it starts.
 *
 * @param {string} node
 * @returns {Promise<number>} its exit code
 */
function runAgain(node) {
  const child = spawn(node, [...process.execArgv, ...process.argv.slice(1)], {
    stdio: 'inherit',
    env: { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env.PATH}` },
  });
  // A terminal sends Ctrl-C to both.
  process.on('SIGINT', () => {});
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill('SIGTERM'));
  // npm hands no signal on, but takes the shell between it and this with it.
  const parent = process.ppid;
  setInterval(() => process.ppid !== parent && child.kill('SIGTERM'), LOOK_EVERY_MS).unref();
  return new Promise((resolve) => child.once('exit', (code) => resolve(code ?? 1)));
}
