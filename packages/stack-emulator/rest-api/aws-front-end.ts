import type { IncomingMessage } from 'node:http';
import type { HttpResponse } from './response.ts';

/** https://docs.aws.amazon.com/apigateway/latest/developerguide/limits.html */
const MAX_HEADER_BYTES = 10_240;
const MAX_BODY_BYTES = 10_485_760;

/**
 * Reads the body of a request. If AWS's front end, which receives requests before API Gateway does, would reject the
 * request, returns its response instead, and leaves the rest of the body unread. That response is plain text without a
 * request id, and gateway responses do not apply.
 */
export async function receiveBody(incoming: IncomingMessage): Promise<Buffer | HttpResponse> {
  const { method, url = '', rawHeaders } = incoming;
  const values = rawHeaders.filter((_, index) => index % 2 === 1);
  // AWS counts the request line and the header values, but not the header names.
  const requestLine = `${method} ${url} HTTP/1.1`;
  // No published record of AWS's response shows its status; RFC 6585 defines 431 for this case.
  if ([requestLine, ...values].join('').length > MAX_HEADER_BYTES) {
    return rejection(431, `HTTP header is larger than ${MAX_HEADER_BYTES} bytes.`);
  }
  // Observed by others (aws/aws-sam-cli#7170).
  if (/\?.*[{}|]/.test(url)) return rejection(400, 'Bad Request');
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of incoming.iterator({ destroyOnReturn: false })) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) {
      return rejection(413, `HTTP content length exceeded ${MAX_BODY_BYTES} bytes.`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function rejection(status: number, message: string): HttpResponse {
  return { status, headers: [['Content-Type', 'text; charset=utf-8']], body: Buffer.from(message) };
}
