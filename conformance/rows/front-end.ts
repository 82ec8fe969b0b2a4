import { created, frontEnd, gatewayError } from '../expectation.ts';
import { AUTHORIZED, JSON_TYPE, PLANT_BODY, type Row, type RowRequest } from '../row.ts';

const CREATED = created('Ficus', 'indoor');
const TOO_LONG = frontEnd(413, /^HTTP content length exceeded 10485760 bytes\.$/);
const ELEVEN_MB = 'x'.repeat(11_000_000);

export const sizes: readonly Row[] = [
  {
    name: 'body above 10 MB with a token',
    request: { body: ELEVEN_MB },
    expected: TOO_LONG,
    source: 'koki-develop/lgtm-generator#10; reapit/foundations#4338',
  },
  {
    name: 'body above 10 MB without a token',
    request: { headers: [JSON_TYPE], body: ELEVEN_MB },
    outcomes: [
      { seen: TOO_LONG, means: 'the size is checked before the API is known, as docs/errors.md says' },
      {
        seen: gatewayError(401),
        means:
          'the authorizer comes first: docs/errors.md, docs/security.md and emulator/rest-api/ must say so',
      },
    ],
  },
  {
    name: 'chunked body above 10 MB',
    request: { body: ELEVEN_MB, chunked: true },
    outcomes: [
      { seen: TOO_LONG, means: 'the same as with a Content-Length' },
      {
        seen: { status: [400, 413, 500, 502] },
        means:
          'another response than with a Content-Length: add it to docs/errors.md and to emulator/rest-api/',
      },
    ],
  },
  {
    name: 'body of 5 MB',
    request: { body: 'x'.repeat(5_000_000) },
    outcomes: [
      { seen: gatewayError(413), means: 'the type is REQUEST_TOO_LARGE: docs/errors.md is right about 2413' },
      {
        seen: { status: 413, error: 2400 },
        means:
          'the type is DEFAULT_4XX: docs/errors.md, openapi.json and decision 0009 must say 2400 instead of 2413',
      },
      {
        seen: frontEnd(413, /Request Too Long/),
        means:
          'no gateway response is used: docs/errors.md and decisions 0008 and 0009 must list it among the responses of AWS',
      },
      {
        seen: { status: [500, 502] },
        means:
          'the function fails: docs/errors.md and decision 0009 must say so, and a client must not retry it',
      },
    ],
  },
];

const LONG_HEADER: RowRequest = { extraHeaders: [['X-Long', 'a'.repeat(10_300)]], body: PLANT_BODY };

export const longHeaders: readonly Row[] = [
  {
    name: 'header of 8 KB',
    request: { extraHeaders: [['X-Long', 'a'.repeat(8_000)]], body: PLANT_BODY },
    expected: CREATED,
    source: 'AWS, quotas of API Gateway: 10,240 bytes for all headers',
  },
  {
    name: 'headers above 10,240 bytes',
    request: LONG_HEADER,
    expected: frontEnd([400, 413, 431, 494]),
    source:
      'https://ntsblog.homedev.com.au, "HTTP header is larger than 10240 bytes."; the status is not recorded',
  },
  {
    name: 'status of headers above 10,240 bytes',
    request: LONG_HEADER,
    outcomes: [400, 413, 431, 494].map((status) => ({
      seen: frontEnd(status),
      means: `write ${status} into docs/errors.md and the front end of emulator/rest-api/`,
    })),
  },
];

const QUERY_SOURCE = 'aws/aws-sam-cli#7170; AWS, "Important notes" of API Gateway';

export const unusualHttp: readonly Row[] = [
  { name: 'chunked body', request: { body: PLANT_BODY, chunked: true }, expected: CREATED },
  {
    name: 'Expect: 100-continue',
    request: { extraHeaders: [['Expect', '100-continue']], body: PLANT_BODY },
    expected: CREATED,
  },
  ...['{}', 'a|b'].map(
    (query): Row => ({
      name: `${query} in the query`,
      request: { path: `<base>/plants?q=${query}`, body: PLANT_BODY },
      expected: frontEnd(400),
      source: QUERY_SOURCE,
    }),
  ),
  {
    name: 'bad percent escape in the query',
    request: { path: '<base>/plants?q=%zz', body: PLANT_BODY },
    outcomes: [
      { seen: CREATED, means: 'ignored, as in the emulator' },
      {
        seen: frontEnd(400),
        means:
          'the front end rejects it: add it to docs/errors.md and to the front end of emulator/rest-api/',
      },
    ],
  },
  {
    name: 'malformed request line',
    request: { raw: 'POST <base>/plants\r\nHost: <host>\r\n\r\n' },
    expected: frontEnd([400, 403]),
    source: 'AWS: such a request never reaches an API',
  },
  {
    name: 'no Host',
    request: { raw: 'POST <base>/plants HTTP/1.1\r\nContent-Length: 0\r\nConnection: close\r\n\r\n' },
    expected: frontEnd([400, 403]),
    source: 'RFC 9112 §3.2',
  },
  {
    name: 'HTTP/1.0',
    request: { version: '1.0', headers: [AUTHORIZED, JSON_TYPE], body: PLANT_BODY },
    outcomes: [
      { seen: CREATED, means: 'supported, as in the emulator' },
      { seen: { status: [400, 403, 426, 505] }, means: 'not supported: mention it in docs/errors.md' },
    ],
  },
];
