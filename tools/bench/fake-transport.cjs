// Responds to this process's HTTPS requests without a network, so that only the function's own work is measured.
'use strict';
const https = require('node:https');
const { EventEmitter } = require('node:events');
const { Readable } = require('node:stream');

/** @param {(target: string) => string} bodyFor returns DynamoDB's response body for an `X-Amz-Target` header */
module.exports = function fakeTransport(bodyFor) {
  https.request = (...args) => {
    const options = args.find((arg) => arg !== null && typeof arg === 'object' && 'headers' in arg);
    const onResponse = args.find((arg) => typeof arg === 'function');
    const request = new EventEmitter();
    request.socket = Object.assign(new EventEmitter(), { setTimeout() {}, setKeepAlive() {}, destroy() {} });
    request.write = () => true;
    request.destroy = () => request;
    request.end = () => {
      setImmediate(() => {
        const response = Readable.from([Buffer.from(bodyFor(options.headers['x-amz-target'] ?? ''))]);
        const headers = { 'content-type': 'application/x-amz-json-1.0' };
        Object.assign(response, { statusCode: 200, statusMessage: 'OK', headers, complete: true });
        request.emit('response', response);
        onResponse(response);
        response.on('end', () => request.emit('close'));
      });
      return request;
    };
    return request;
  };
};
