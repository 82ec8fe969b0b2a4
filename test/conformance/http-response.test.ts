import { describe, expect, test } from '@jest/globals';
import { parseResponse } from '../../conformance/http-response.ts';

const parsed = (text: string, ended = false) => parseResponse(Buffer.from(text, 'latin1'), ended);

describe('parseResponse', () => {
  test.each([
    ['a Content-Length', 'HTTP/1.1 413 X\r\ncontent-length: 3\r\nA-B:  c \r\n\r\nabcd', false],
    [
      'chunks',
      'HTTP/1.1 413 X\r\nTransfer-Encoding: chunked\r\na-b: c\r\n\r\n2;x=y\r\nab\r\n1\r\nc\r\n0\r\n\r\n',
      false,
    ],
    ['the end of the connection', 'HTTP/1.0 413 X\r\na-b: c\r\n\r\nabc', true],
    [
      'an interim response before it',
      'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 413\r\na-b: c\r\nContent-Length: 3\r\n\r\nabc',
      false,
    ],
  ])('returns a response that ends by %s', (_what, text, ended) => {
    const response = parsed(text, ended);
    expect([response?.status, response?.headers.get('a-b'), response?.body]).toEqual([413, 'c', 'abc']);
  });

  test.each([
    ['HTTP/1.1 200 OK\r\nContent-Le'],
    ['HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nab'],
    ['HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n'],
    ['HTTP/1.1 200 OK\r\n\r\nab'],
    ['HTTP/1.1 100 Continue\r\n\r\n'],
  ])('waits for the rest of %j', (text) => {
    expect(parsed(text)).toBeUndefined();
  });

  test('returns a body that is cut off by the end of the connection', () => {
    expect(parsed('HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nab', true)?.body).toBe('ab');
  });
});
