import { ARRIVED, JSON_TYPE, PATH, type Row, TOKEN } from '../row.ts';

const MORE_THAN_10_MB = Buffer.alloc(10_485_761, 'x');

function withHeader(name: string, value: string) {
  return { ...TOKEN, ...JSON_TYPE, [name]: value };
}

/** Requests that AWS's front end might reject before it looks up the API. */
export const frontEnd: readonly Row[] = [
  {
    name: 'body larger than 10 MB, with a token',
    body: MORE_THAN_10_MB,
    expected: { status: 413, body: 'HTTP content length exceeded 10485760 bytes.' },
    source: 'koki-develop/lgtm-generator#10; reapit/foundations#4338',
  },
  { name: 'body larger than 10 MB, without a token', headers: JSON_TYPE, body: MORE_THAN_10_MB },
  {
    name: 'body of 5 MB',
    body: Buffer.alloc(5_000_000, 'x'),
    expected: { status: 413, headers: { 'x-amzn-errortype': 'BadRequestException' } },
    source: 'koki-develop/lgtm-generator#10, which does not give the body',
  },
  {
    name: 'header of 7 KB',
    headers: withHeader('X-Long', 'a'.repeat(7_000)),
    expected: ARRIVED,
    source: 'AWS, API Gateway quotas: 10,240 bytes for the request line and all header values',
  },
  {
    name: 'headers larger than 10,240 bytes',
    headers: withHeader('X-Long', 'a'.repeat(10_300)),
    expected: { body: 'HTTP header is larger than 10240 bytes.' },
    source: 'https://ntsblog.homedev.com.au, which does not give the status',
  },
  {
    name: 'chunked body',
    headers: withHeader('Transfer-Encoding', 'chunked'),
    expected: ARRIVED,
  },
  {
    name: 'Expect: 100-continue',
    headers: withHeader('Expect', '100-continue'),
    expected: ARRIVED,
  },
  {
    name: 'braces in the query string',
    path: `<base>${PATH}?q={}`,
    expected: { status: 400 },
    source: 'aws/aws-sam-cli#7170; AWS, "Important notes" for API Gateway',
  },
];
