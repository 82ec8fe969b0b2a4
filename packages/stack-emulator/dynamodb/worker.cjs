// Runs the embedded DynamoDB (dynalite) in a worker thread. This is plain JavaScript, because stripping types would
// delay every start.
// @ts-check
'use strict';

const { parentPort, workerData } = require('node:worker_threads');
const { rejectWebsites } = require('./reject-websites.cjs');

const { path, host, port } = workerData;

/** DynamoDB's error for a body that is not a valid input for the operation. */
const MALFORMED = JSON.stringify({ __type: 'com.amazon.coral.service#SerializationException' });

// Ignores the errors that dynalite throws if a client disconnects in the middle of a request.
process.on('uncaughtException', (error) => {
  const { code } = /** @type {NodeJS.ErrnoException} */ (error);
  if (code !== 'ECONNRESET' && code !== 'EPIPE') throw error;
});

// This calls `require.resolve`, because TypeScript misreads dynalite's JavaScript and would reject the call.
const server = require(require.resolve('dynalite'))({ path, createTableMs: 0 });
// Runs after dynalite's own listener.
server.on('request', rejectMalformed);
rejectWebsites(server, host);
server.keepAliveTimeout = 60_000;
server.listen(port, host, () => parentPort?.postMessage(server.address().port));
parentPort?.once('message', () => {
  server.close(() => process.exit());
  server.closeAllConnections();
});

/**
 * Rejects a body that contains a null value. Once dynalite has read such a body, it throws a TypeError, which would end
 * its thread.
 *
 * @param {import('node:http').IncomingMessage} request
 * @param {import('node:http').ServerResponse} response
 */
function rejectMalformed(request, response) {
  const respond = request.listeners('end');
  request.removeAllListeners('end').on('end', () => {
    try {
      for (const listener of respond) listener.call(request);
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      response.writeHead(400, { 'Content-Type': 'application/x-amz-json-1.0' });
      response.end(MALFORMED);
    }
  });
}
