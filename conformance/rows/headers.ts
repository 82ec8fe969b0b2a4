import { created, gatewayError, rejected } from '../expectation.ts';
import { AUTHORIZED, type Header, JSON_TYPE, PLANT_BODY, type Row, type SettledRow } from '../row.ts';

const CREATED = created('Ficus', 'indoor');

function headers(name: string, sent: readonly Header[], expected: SettledRow['expected']): SettledRow {
  return { name, request: { headers: sent, body: PLANT_BODY }, expected };
}

function credentials(name: string, value: string): SettledRow {
  return headers(name, [['Authorization', value], JSON_TYPE], gatewayError(401));
}

export const mediaTypes: readonly Row[] = [
  headers(
    'Content-Type in another case',
    [AUTHORIZED, ['content-TYPE', 'Application/JSON; charset=utf-8']],
    CREATED,
  ),
  headers('Content-Type text/plain', [AUTHORIZED, ['Content-Type', 'text/plain']], rejected(1000)),
  {
    name: 'no Content-Type',
    request: { headers: [AUTHORIZED], body: PLANT_BODY },
    outcomes: [
      { seen: rejected(1000), means: 'README is right: API Gateway adds no Content-Type to the event' },
      {
        seen: CREATED,
        means:
          'API Gateway adds application/json: document in openapi.json and docs/errors.md that 1000 needs another type, and let emulator/rest-api/ add it',
      },
    ],
  },
  {
    name: 'two Content-Type headers',
    request: { headers: [AUTHORIZED, ['Content-Type', 'text/plain'], JSON_TYPE], body: PLANT_BODY },
    outcomes: [
      { seen: CREATED, means: 'the last one counts, as in the emulator' },
      {
        seen: rejected(1000),
        means: 'the first one counts, or both joined: change the headers of the event in emulator/rest-api/',
      },
      { seen: { status: 400 }, means: 'AWS rejects it: change emulator/rest-api/' },
    ],
  },
];

export const validCredentials: readonly Row[] = [
  headers('bearer in lower case', [['Authorization', 'bearer <token>'], JSON_TYPE], CREATED),
  headers(
    'header names in lower case',
    [
      ['authorization', 'Bearer <token>'],
      ['content-type', JSON_TYPE[1]],
    ],
    CREATED,
  ),
  {
    name: 'space after the token',
    request: { headers: [['Authorization', 'Bearer <token> '], JSON_TYPE], body: PLANT_BODY },
    outcomes: [
      { seen: CREATED, means: 'AWS trims header values, as HTTP says and the emulator does' },
      {
        seen: gatewayError(401),
        means:
          'AWS keeps the space: allow it in ACCESS_TOKEN_PATTERN, or mention it in docs/access-tokens.md',
      },
    ],
  },
  ...twoTokens('valid token, then a wrong one', ['Bearer <token>', 'Bearer <wrong>'], 'first', 'last'),
  ...twoTokens('wrong token, then a valid one', ['Bearer <wrong>', 'Bearer <token>'], 'last', 'first'),
];

function twoTokens(name: string, values: readonly string[], valid: string, wrong: string): Row[] {
  const sent = values.map((value): Header => ['Authorization', value]);
  const change = 'let the emulator do the same in emulator/rest-api/authorizer.ts if it does not';
  return [
    {
      name,
      request: { headers: [...sent, JSON_TYPE], body: PLANT_BODY },
      outcomes: [
        { seen: CREATED, means: `the ${valid} header counts: ${change}` },
        { seen: gatewayError(401), means: `the ${wrong} header counts, or both joined: ${change}` },
        { seen: { status: 400 }, means: `AWS rejects two headers, which is the safest: ${change}` },
      ],
    },
  ];
}

export const invalidCredentials: readonly Row[] = [
  headers('no token', [JSON_TYPE], gatewayError(401)),
  credentials('empty token', 'Bearer '),
  credentials('token of another shape', 'Bearer nonsense'),
  credentials('basic credentials', 'Basic YTpi'),
  credentials('token without Bearer', '<token>'),
  credentials('unknown token', `Bearer plantstore_${'0'.repeat(16)}_${'0'.repeat(64)}`),
  credentials('token with another secret', 'Bearer <wrong>'),
  {
    ...credentials(
      'AWS signature on the route',
      'AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20261121/us-east-1/execute-api/aws4_request, SignedHeaders=host, Signature=00',
    ),
    source: 'https://blog.cheo.dev/til/aws-apigw-vpce-authorization',
  },
  ...['application/xml', 'image/png'].map(
    (accept): Row => ({
      name: `401 with Accept: ${accept}`,
      request: {
        headers: [['Authorization', 'Bearer nonsense'], JSON_TYPE, ['Accept', accept]],
        body: PLANT_BODY,
      },
      outcomes: [
        { seen: gatewayError(401), means: 'gateway responses are JSON whatever the client accepts' },
        {
          seen: { status: [401, 406, 500] },
          means:
            'the body depends on Accept: describe it in docs/errors.md, and weigh binaryMediaTypes in decision 0009 again',
        },
      ],
    }),
  ),
];
