// A connection to the Runtime API. node:http would cost a third of what a warm invocation costs in all, mostly
// for things that never happen between two processes of one stage: chunks, redirects, upgrades, pools.
// @ts-check
'use strict';

const { connect } = require('node:net');

/**
 * @typedef {{ headers: Map<string, string>, body: string }} Answer
 * @typedef {{ resolve: (answer: Answer) => void, reject: (error: Error) => void }} Waiting
 */

const endOfHead = Buffer.from('\r\n\r\n');

class RuntimeClient {
  /** @type {Waiting[]} In the order of their requests, which is the order of the answers. */
  #waiting = [];
  /** @type {Buffer[]} */
  #chunks = [];
  #received = 0;
  /** How much must be there before it is worth looking again. */
  #needed = 0;
  #host;
  #socket;

  /** @param {string} address `host:port`, as in AWS_LAMBDA_RUNTIME_API */
  constructor(address) {
    const [host, port] = address.split(':');
    this.#host = address;
    this.#socket = connect({ host, port: Number(port), noDelay: true });
    this.#socket.on('data', (chunk) => this.#take(chunk));
    this.#socket.on('error', () => {});
    this.#socket.on('close', () => {
      for (const { reject } of this.#waiting.splice(0)) reject(new Error('The Runtime API is gone'));
    });
  }

  /**
   * Requests made in the same turn travel together.
   * @param {string} method
   * @param {string} resource such as `invocation/next`
   * @param {string} [body]
   * @returns {Promise<Answer>}
   */
  call(method, resource, body = '') {
    const head = `${method} /2018-06-01/runtime/${resource} HTTP/1.1\r\nHost: ${this.#host}\r\n`;
    if (this.#socket.writableCorked === 0) {
      this.#socket.cork();
      process.nextTick(() => this.#socket.uncork());
    }
    this.#socket.write(`${head}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
    return new Promise((resolve, reject) => this.#waiting.push({ resolve, reject }));
  }

  /** @param {Buffer} chunk */
  #take(chunk) {
    this.#chunks.push(chunk);
    this.#received += chunk.length;
    while (this.#received > 0 && this.#received >= this.#needed && this.#answer());
  }

  /** Hands out one whole answer, if there is one. */
  #answer() {
    const data = this.#chunks.length === 1 && this.#chunks[0] ? this.#chunks[0] : Buffer.concat(this.#chunks);
    this.#chunks = [data];
    const head = data.indexOf(endOfHead);
    if (head === -1) return false;
    const headers = parseHeaders(data.toString('latin1', 0, head));
    const start = head + endOfHead.length;
    const end = start + Number(headers.get('content-length') ?? 0);
    this.#needed = end;
    if (data.length < end) return false;
    this.#needed = 0;
    this.#received = data.length - end;
    this.#chunks = this.#received === 0 ? [] : [data.subarray(end)];
    this.#waiting.shift()?.resolve({ headers, body: data.toString('utf8', start, end) });
    return true;
  }
}

/** @param {string} head */
function parseHeaders(head) {
  /** @type {Map<string, string>} */
  const headers = new Map();
  for (const line of head.split('\r\n').slice(1)) {
    const colon = line.indexOf(':');
    headers.set(line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim());
  }
  return headers;
}

module.exports = { RuntimeClient };
