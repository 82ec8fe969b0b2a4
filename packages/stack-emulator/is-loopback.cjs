// This is plain JavaScript, because the thread of DynamoDB requires it, and stripping types would delay every start.
// @ts-check
'use strict';

const LOOPBACK = /^((localhost|\[::1\]|127(\.\d{1,3}){3})(:\d+)?|::1)$/i;

/**
 * Returns whether this is a name or address of this machine that no other machine can use. Not parsed as a URL, which
 * would also accept `2130706433` and `user@localhost`.
 *
 * @param {string} host a `Host` header, or an IP address
 */
function isLoopback(host) {
  return LOOPBACK.test(host);
}

module.exports = { isLoopback };
