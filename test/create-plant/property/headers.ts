import fc from 'fast-check';

/** The value of a header, without whitespace at either end, which HTTP would remove. */
const value = fc.string({ unit: 'grapheme-ascii', maxLength: 40 }).map((text) => text.trim());

const parameters = fc.constantFrom(
  '',
  ';',
  '; charset=utf-8',
  ' ;charset=UTF-8; q=1',
  ';charset="a;b"',
  '; x',
);

/** Values of Content-Type: all valid forms of application/json, and other media types. */
export const contentTypes: fc.Arbitrary<string> = fc.oneof(
  fc.tuple(fc.mixedCase(fc.constant('application/json')), parameters).map((parts) => parts.join('')),
  fc
    .tuple(fc.constantFrom('text/json', 'application/jsonp', 'application/json-patch+json'), parameters)
    .map((parts) => parts.join('')),
  fc.constantFrom('', 'application', 'application/ json', 'text/plain; application/json', '*/*'),
  value,
);

/** Whether a Content-Type is application/json, in any case and with any parameters (RFC 9110 §8.3.1). */
export function isJson(contentType: string): boolean {
  return /^\s*application\/json\s*(;|$)/i.test(contentType);
}

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
  .array(fc.tuple(names, fc.oneof(value, contentTypes)), { maxLength: 12 })
  .map((headers) => Object.fromEntries(headers));
