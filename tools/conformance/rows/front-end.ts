import { CREATED, frontEnd } from '../expectation.ts';
import { type Header, JSON_TYPE, type Row, TOKEN } from '../row.ts';

const TOO_LONG = frontEnd(413, 'HTTP content length exceeded 10485760 bytes.');
const ELEVEN_MB = 'x'.repeat(11_000_000);

export const sizes: readonly Row[] = [
  {
    name: 'body larger than 10 MB, with a token',
    request: { body: ELEVEN_MB },
    expected: TOO_LONG,
    source: 'koki-develop/lgtm-generator#10; reapit/foundations#4338',
  },
  {
    name: 'body larger than 10 MB, without a token',
    request: { headers: [JSON_TYPE], body: ELEVEN_MB },
  },
  {
    name: 'body of 5 MB',
    request: { body: 'x'.repeat(5_000_000) },
  },
  {
    name: 'error type for a body of 5 MB',
    request: { body: 'x'.repeat(5_000_000) },
    expected: { status: 413, errorType: 'BadRequestException' },
    source: 'koki-develop/lgtm-generator#10',
  },
];

const long = (bytes: number): readonly Header[] => [TOKEN, JSON_TYPE, ['X-Long', 'a'.repeat(bytes)]];

export const longHeaders: readonly Row[] = [
  {
    name: 'header of 7 KB',
    request: { headers: long(7_000) },
    expected: CREATED,
    source: 'AWS, API Gateway quotas: 10,240 bytes for the request line and all header values',
  },
  {
    name: 'headers larger than 10,240 bytes',
    request: { headers: long(10_300) },
    expected: frontEnd([400, 413, 431, 494]),
    source:
      'https://ntsblog.homedev.com.au ("HTTP header is larger than 10240 bytes."), which does not give the status',
  },
  {
    name: 'status for headers larger than 10,240 bytes',
    request: { headers: long(10_300) },
  },
];

function reserved(name: string, query: string): Row {
  return {
    name,
    request: { path: `<base>/plants?q=${query}` },
    expected: frontEnd(400),
    source: 'aws/aws-sam-cli#7170; AWS, "Important notes" for API Gateway',
  };
}

export const unusualHttp: readonly Row[] = [
  { name: 'chunked body', request: { chunked: true }, expected: CREATED },
  {
    name: 'Expect: 100-continue',
    request: { headers: [TOKEN, JSON_TYPE, ['Expect', '100-continue']] },
    expected: CREATED,
  },
  reserved('braces in the query string', '{}'),
  reserved('vertical bar in the query string', 'a|b'),
];
