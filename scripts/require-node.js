import { existsSync } from 'node:fs';

/**
 * Node 24 comes with the packages and is first on the PATH of every npm script. Where npm has no build of
 * it for this platform, the user's own must do.
 */
const NEEDED = 24;

if (!existsSync(new URL('../node_modules', import.meta.url))) {
  console.error('The packages are not installed: run npm ci, and then the command again.');
  process.exit(1);
}

const [major] = process.versions.node.split('.');
if (Number(major) < NEEDED) {
  console.error(
    `Plant Store runs on Node ${NEEDED}, and this is ${process.version}. npm ci brings it for most platforms, and npm ` +
      `and npx then run it; where they don't (${process.platform}-${process.arch}), install it from https://nodejs.org.`,
  );
  process.exit(1);
}
