// The embedded DynamoDB as a process of its own. Plain JavaScript: stripping types would delay each start.
// @ts-check
'use strict';

const { createRequire } = require('node:module');
const { setImmediate } = require('node:timers/promises');

const [path, host, port] = process.argv.slice(2);
/** Room enough for the template's tables. */
const PROBE_BYTES = 64 * 1024;

/** @param {unknown} error */
function fail(error) {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const { code, message } = cause instanceof Error ? /** @type {NodeJS.ErrnoException} */ (cause) : {};
  process.send?.({ failure: { code, message: message ?? String(cause) } }, () => process.exit(1));
}

// dynalite throws when a client goes away in the middle of a request; that is the client's affair.
process.on('uncaughtException', (error) => {
  const { code } = /** @type {NodeJS.ErrnoException} */ (error);
  if (code !== 'ECONNRESET' && code !== 'EPIPE') fail(error);
});
// The parent ends this process by closing the channel, and so does its death.
process.on('disconnect', () => process.exit());
// Signals may reach the whole process group; the parent still needs this process for what is in flight.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => {});

async function main() {
  const dynalitePath = require.resolve('dynalite');
  const { Level } = createRequire(dynalitePath)('level');
  // dynalite opens its files late and hides why that failed, or why a write did.
  const probe = new Level(path);
  await probe.open();
  await probe.put('probe', 'x'.repeat(PROBE_BYTES));
  await probe.del('probe');
  await probe.close();
  const server = require(dynalitePath)({ path, createTableMs: 0 });
  server.on('error', fail);
  server.keepAliveTimeout = 60_000;
  server.listen(Number(port), host, async () => {
    await setImmediate();
    process.send?.({ port: server.address().port });
  });
}

main().catch(fail);
