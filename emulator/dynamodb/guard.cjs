// Plain JavaScript, because worker.cjs loads it.
// @ts-check
'use strict';

/** What a container of Docker calls this machine: no website can have this name. */
const DOCKER_HOST = 'host.docker.internal';

/**
 * Whether a request may reach DynamoDB. A browser sends `Origin` with what a website asks it to write, and a website
 * can make its own name resolve to this machine (DNS rebinding), but not change the Host header.
 *
 * @param {import('node:http').IncomingHttpHeaders} headers
 * @param {string} address that DynamoDB listens on: its clients may use it as the name
 */
function isAllowed({ origin, host = '' }, address) {
  if (origin !== undefined) return false;
  const name = withoutBrackets(host.toLowerCase().replace(/:\d+$/, ''));
  if (name === 'localhost' || name === '::1' || /^127(\.\d{1,3}){3}$/.test(name)) return true;
  if (name === DOCKER_HOST) return true;
  if (address === '0.0.0.0' || address === '::') return /^[\d.]+$|:/.test(name);
  // As clients write it: in lower case, and the shortest form of an IPv6 address.
  const own = URL.parse(`http://${address.includes(':') ? `[${address}]` : address}`)?.hostname;
  return own !== undefined && name === withoutBrackets(own);
}

/** @param {string} name */
function withoutBrackets(name) {
  return name.replace(/^\[(.*)\]$/, '$1');
}

/** The error of DynamoDB for any other request. */
const REJECTION = JSON.stringify({
  __type: 'com.amazon.coral.service#AccessDeniedException',
  message:
    'The embedded DynamoDB rejects requests from websites, and those whose Host is not a name of this machine: ' +
    'use the endpoint that npm start prints',
});

/**
 * Rejects requests in front of a server's own listener, which allows every website to read and write.
 *
 * @param {import('node:http').Server} server
 * @param {string} address
 */
function guard(server, address) {
  const listeners = server.listeners('request');
  server.removeAllListeners('request');
  server.on('request', (request, response) => {
    if (isAllowed(request.headers, address)) {
      for (const listener of listeners) listener.call(server, request, response);
      return;
    }
    // Closing the connection leaves the body unread.
    response.writeHead(403, { 'Content-Type': 'application/x-amz-json-1.0', Connection: 'close' });
    response.end(REJECTION);
  });
}

module.exports = { guard, isAllowed };
