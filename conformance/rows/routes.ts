import { created, frontEnd, gatewayError } from '../expectation.ts';
import { AUTHORIZED, JSON_TYPE, type Outcome, PLANT_BODY, type Row, type RowRequest } from '../row.ts';

const CREATED = created('Ficus', 'indoor');
const NOT_FOUND = gatewayError(404);
const ROUTING_SOURCE =
  'LocalStack, AWS-validated snapshots of tests/aws/services/apigateway/test_apigateway_lambda.py';

function post(path: string): RowRequest {
  return { path: `<base>${path}`, body: PLANT_BODY };
}

const unknownRoutes = [
  ['GET', '/plants'],
  ['PUT', '/plants'],
  ['OPTIONS', '/plants'],
  ['POST', '/nope'],
  ['POST', '/'],
  ['POST', '/plants/1'],
  ['POST', '/PLANTS'],
] as const;

export const unknownRoutesWithoutToken: readonly Row[] = unknownRoutes.map(([method, path]) => ({
  name: `${method} ${path} without a token`,
  request: { method, path: `<base>${path}`, headers: [JSON_TYPE], body: method === 'GET' ? '' : PLANT_BODY },
  expected: NOT_FOUND,
  source: `${ROUTING_SOURCE}; ministack#1756`,
}));

const WITH_TOKEN: readonly Outcome[] = [
  {
    seen: NOT_FOUND,
    means: 'decision 0008 is right: the type is INVALID_SIGNATURE or one of its neighbours',
  },
  {
    seen: { status: 403, error: 2400 },
    means:
      'the type is DEFAULT_4XX: docs/errors.md, openapi.json and decision 0008 must say that an unknown route is 403 with 2400 if a token is sent',
  },
  {
    seen: frontEnd(403),
    means:
      'no gateway response is used: docs/errors.md and decision 0008 must list it among the responses of AWS',
  },
];

export const unknownRoutesWithToken: readonly Row[] = [
  ...unknownRoutes.map(
    ([method, path]): Row => ({
      name: `${method} ${path} with a token`,
      request: { method, path: `<base>${path}`, body: method === 'GET' ? '' : PLANT_BODY },
      outcomes: WITH_TOKEN,
    }),
  ),
  {
    name: 'AWS signature on an unknown path',
    request: {
      path: '<base>/nope',
      headers: [
        [
          'Authorization',
          'AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20261121/us-east-1/execute-api/aws4_request, SignedHeaders=host;x-amz-date, Signature=00',
        ],
        ['X-Amz-Date', '20261121T000000Z'],
      ],
    },
    outcomes: WITH_TOKEN,
  },
];

const ROUTED: Outcome = {
  seen: CREATED,
  means: 'routed to /plants: let emulator/rest-api/routes.ts do the same if it does not',
};
const NOT_ROUTED: Outcome = {
  seen: { status: [400, 403, 404] },
  means: 'not routed: let emulator/rest-api/routes.ts do the same if it does not',
};

export const spellings: readonly Row[] = [
  {
    name: 'slash after /plants',
    request: post('/plants/'),
    expected: CREATED,
    source: 'aws/chalice#65; aws-powertools/powertools-lambda-python#1552',
  },
  {
    name: 'two slashes before plants',
    request: post('//plants'),
    expected: CREATED,
    source: `${ROUTING_SOURCE}: invocation-hardcoded; localstack#11253`,
  },
  ...(
    [
      ['two slashes after plants', '/plants//'],
      ['percent-encoded letter', '/%70lants'],
      ['dot segment', '/./plants'],
      ['parent segment', '/x/../plants'],
      ['bad percent escape in the path', '/plants%zz'],
    ] as const
  ).map(([name, path]): Row => ({ name, request: post(path), outcomes: [ROUTED, NOT_ROUTED] })),
  ...(
    [
      ['X-HTTP-Method-Override: POST on GET', 'GET', 'POST'],
      ['X-HTTP-Method-Override: GET on POST', 'POST', 'GET'],
    ] as const
  ).map(
    ([name, method, override]): Row => ({
      name,
      request: { method, extraHeaders: [['X-HTTP-Method-Override', override]], body: PLANT_BODY },
      outcomes: [
        {
          seen: CREATED,
          means: `the request is a POST: the header is ${method === 'GET' ? 'honoured' : 'ignored'}; see emulator/rest-api/`,
        },
        {
          seen: { status: [403, 404] },
          means: `the request is a GET: the header is ${method === 'GET' ? 'ignored' : 'honoured'}; see emulator/rest-api/`,
        },
        { seen: frontEnd([400, 501]), means: 'the front end rejects it: see emulator/rest-api/' },
      ],
    }),
  ),
  ...['FOO', 'post'].map(
    (method): Row => ({
      name: `method ${method}`,
      request: { method, headers: [JSON_TYPE], body: PLANT_BODY },
      outcomes: [
        { seen: NOT_FOUND, means: 'an unknown route like any other: docs/errors.md is right' },
        {
          seen: frontEnd([400, 403, 404, 405, 501]),
          means: 'the front end rejects it: docs/errors.md must list it among the responses of AWS',
        },
        { seen: gatewayError(400), means: 'DEFAULT_4XX: docs/errors.md is right about 2400' },
        { seen: gatewayError(401), means: 'routed like POST: see emulator/rest-api/routes.ts' },
      ],
    }),
  ),
];

const FORBIDDEN = frontEnd(403, /"message": ?"Forbidden"/);
const FORBIDDEN_SOURCE =
  're:Post, "How do I troubleshoot HTTP 403 errors from API Gateway?"; ustaxcourt/ef-cms#572';

export const stages: readonly Row[] = [
  ['no stage', '/plants'],
  ['wrong stage', '/nope/plants'],
  ['root of the host', '/'],
].map(([name = '', path = '']) => ({
  name,
  request: { path, headers: [AUTHORIZED, JSON_TYPE], body: PLANT_BODY },
  needsStage: true,
  expected: FORBIDDEN,
  source: FORBIDDEN_SOURCE,
}));
