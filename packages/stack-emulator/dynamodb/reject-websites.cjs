// Plain JavaScript, like worker-thread.cjs.
// @ts-check
'use strict';

const { isIP } = require('node:net');
const { isLoopback } = require('../is-loopback.cjs');

/**
 * Returns whether a request may reach DynamoDB. If a website makes a browser send a write, the browser adds an `Origin`
 * header. A website can make its own name resolve to this machine (DNS rebinding), but cannot change the `Host` header,
 * which contains that name. The REST API has no such guard: API Gateway has none, and a `Fallback` protects itself.
 *
 * @param {import('node:http').IncomingHttpHeaders} headers
 * @param {string} address the address that DynamoDB listens on, which clients may use as the host
 */
function isAllowed({ origin, host = '' }, address) {
  if (origin !== undefined) return false;
  if (isLoopback(host)) return true;
  const name = host
    .toLowerCase()
    .replace(/:\d*$/, '')
    .replace(/^\[(.*)\]$/, '$1');
  // Docker containers use this name for this machine; no website can own it.
  if (name === 'host.docker.internal') return true;
  if (address === '0.0.0.0' || address === '::') return isIP(name) !== 0;
  return name === address.toLowerCase();
}

const REJECTION = JSON.stringify({
  __type: 'com.amazon.coral.service#AccessDeniedException',
  message:
    'The embedded DynamoDB rejects requests from websites, and requests whose Host header does not name this machine: ' +
    'send requests to the address that DynamoDB listens on',
});

/**
 * Rejects disallowed requests before they reach dynalite's listener, which would let every website read and write.
 *
 * @param {import('node:http').Server} server
 * @param {string} address
 */
function rejectWebsites(server, address) {
  const listeners = server.listeners('request');
  server.removeAllListeners('request');
  server.on('request', (request, response) => {
    if (isAllowed(request.headers, address)) {
      for (const listener of listeners) listener.call(server, request, response);
      return;
    }
    // The connection is closed, so that the body need not be read.
    response.writeHead(403, {
      'Content-Type': 'application/x-amz-json-1.0',
      Connection: 'close',
    });
    response.end(REJECTION);
  });
}

module.exports = { isAllowed, rejectWebsites };
