// The embedded DynamoDB (dynalite) in a worker thread. Plain JavaScript: stripping types would delay each start.
// @ts-check
'use strict';

const { createRequire } = require('node:module');
const { setImmediate } = require('node:timers/promises');
const { parentPort, workerData } = require('node:worker_threads');
const { guard } = require('./guard.cjs');

const dynalite = require.resolve('dynalite');
const { path, host, port } = workerData;
/** Enough for the template's tables. */
const PROBE_BYTES = 64 * 1024;

/** @param {unknown} error */
function report(error) {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const { code, message } = cause instanceof Error ? /** @type {NodeJS.ErrnoException} */ (cause) : {};
  parentPort?.postMessage({ failure: { code, message: message ?? String(cause) } });
}

/** @param {unknown} error */
function fail(error) {
  report(error);
  process.exit(1);
}

// dynalite throws if a client disconnects in the middle of a request.
process.on('uncaughtException', (error) => {
  const { code } = /** @type {NodeJS.ErrnoException} */ (error);
  if (code !== 'ECONNRESET' && code !== 'EPIPE') fail(error);
});

/** dynalite opens its files late, and hides why that or a write failed. */
async function openFolder() {
  const { Level } = createRequire(dynalite)('level');
  const probe = new Level(path);
  await probe.open();
  await probe.put('probe', 'x'.repeat(PROBE_BYTES));
  await probe.del('probe');
  await probe.close();
}

async function main() {
  const usable = await openFolder().then(
    () => true,
    (error) => report(error),
  );
  const server = require(dynalite)({ path, createTableMs: 0 });
  guard(server, host);
  server.on('error', fail);
  server.keepAliveTimeout = 60_000;
  server.listen(port, host, async () => {
    await setImmediate();
    // Only now, so that a port in use is reported too.
    if (!usable) process.exit(1);
    parentPort?.postMessage({ port: server.address().port });
  });
  parentPort?.once('message', () => {
    server.close(() => process.exit());
    server.closeAllConnections();
  });
}

main().catch(fail);
