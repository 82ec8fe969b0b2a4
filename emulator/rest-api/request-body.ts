import type { IncomingMessage, ServerResponse } from 'node:http';
import { GatewayError } from './gateway-response-types.ts';

/** API Gateway's limit on a payload. */
const MAX_BYTES = 10_485_760;

/** @throws GatewayError REQUEST_TOO_LARGE as soon as that is known, with the rest of the body unread */
export function readBody(request: IncomingMessage, response: ServerResponse): Promise<Buffer> {
  if (Number(request.headers['content-length'] ?? 0) > MAX_BYTES) {
    return Promise.reject(new GatewayError('REQUEST_TOO_LARGE'));
  }
  if (request.headers.expect?.toLowerCase() === '100-continue') response.writeContinue();
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const take = (chunk: Buffer) => {
      size += chunk.length;
      chunks.push(chunk);
      if (size <= MAX_BYTES) return;
      request.off('data', take);
      reject(new GatewayError('REQUEST_TOO_LARGE'));
    };
    request.on('data', take);
    request.on('end', () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)));
    request.on('error', reject);
    request.on('close', () => reject(new Error('The client went away')));
  });
}
