import fc from 'fast-check';

/** The value of a header, without whitespace at either end, which HTTP would remove. */
const value = fc.string({ unit: 'grapheme-ascii', maxLength: 40 }).map((text) => text.trim());

const contentType = fc.constantFrom('application/json', 'Application/JSON;charset=utf-8', 'text/plain', '');

const names = fc.oneof(
  fc.constantFrom(
    'Accept',
    'Cookie',
    'Origin',
    'X-Forwarded-For',
    'X-Amzn-Trace-Id',
    'X-HTTP-Method-Override',
  ),
  fc.constantFrom(
    'Content-Encoding',
    'Content-Language',
    'Range',
    'If-Match',
    'Authorization',
    'content-type',
  ),
  fc.stringMatching(/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,20}$/).filter((name) => !framing.has(name.toLowerCase())),
);

/** Headers that HTTP itself interprets: they frame the message or control the connection. */
const framing = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'http2-settings',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Any mix of headers, with or without the headers that the service requires. */
export const anyHeaders: fc.Arbitrary<Record<string, string>> = fc
  .array(fc.tuple(names, fc.oneof(value, contentType)), { maxLength: 12 })
  .map((headers) => Object.fromEntries(headers));
