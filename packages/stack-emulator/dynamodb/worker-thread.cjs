// Runs the embedded DynamoDB (dynalite) in a worker thread. This is plain JavaScript, because stripping types would
// delay every start.
// @ts-check
'use strict';

const { parentPort, workerData } = require('node:worker_threads');
const { rejectWebsites } = require('./reject-websites.cjs');

const { path, host, port } = workerData;

// Ignores the errors that dynalite throws if a client disconnects in the middle of a request.
process.on('uncaughtException', (error) => {
  const { code } = /** @type {NodeJS.ErrnoException} */ (error);
  if (code !== 'ECONNRESET' && code !== 'EPIPE') throw error;
});

// This calls `require.resolve`, because TypeScript misreads dynalite's JavaScript and would reject the call.
const server = require(require.resolve('dynalite'))({ path, createTableMs: 0 });
rejectWebsites(server, host);
server.keepAliveTimeout = 60_000;
server.listen(port, host, () => parentPort?.postMessage(server.address().port));
parentPort?.once('message', () => {
  server.close(() => process.exit());
  server.closeAllConnections();
});
