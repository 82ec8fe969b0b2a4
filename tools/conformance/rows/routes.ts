import { CREATED, frontEnd, gatewayError } from '../expectation.ts';
import {
  FOLLOW,
  JSON_TYPE,
  type OpenRow,
  type Outcome,
  PLANT,
  type Row,
  type SettledRow,
  TOKEN,
} from '../row.ts';

const NOT_FOUND = gatewayError(404);
const SNAPSHOTS =
  'LocalStack, AWS-validated snapshots in tests/aws/services/apigateway/test_apigateway_lambda*';

const unknownRoutes = [
  'GET /plants',
  'PUT /plants',
  'OPTIONS /plants',
  'POST /nope',
  'POST /',
  'POST /PLANTS',
];

function requestOf(route: string) {
  const [method = '', path = ''] = route.split(' ');
  return { method, path: `<base>${path}`, body: method === 'GET' ? '' : PLANT };
}

export const withoutToken = unknownRoutes.map(
  (route): SettledRow => ({
    name: `${route} without a token`,
    request: { ...requestOf(route), headers: [JSON_TYPE] },
    expected: NOT_FOUND,
    source: `${SNAPSHOTS}; ministack#1756`,
  }),
);

const WITH_TOKEN: readonly Outcome[] = [
  [NOT_FOUND, 'decision 0008 and docs/errors.md are right'],
  [
    { status: 403, error: 2400 },
    'the type is DEFAULT_4XX: state in decision 0008, docs/errors.md and openapi.json that it is 403 with 2400',
  ],
  [frontEnd(403), 'it has no Error body: state it in decision 0008, docs/errors.md and openapi.json'],
];

export const withToken: readonly Row[] = [
  ...unknownRoutes.map((route) => ({
    name: `${route} with a token`,
    request: requestOf(route),
    outcomes: WITH_TOKEN,
  })),
  {
    name: 'error type of an unknown route with a token',
    request: { path: '<base>/nope' },
    expected: { status: [403, 404], errorType: 'IncompleteSignatureException' },
    source: 'serverless/serverless#3205; HumanCellAtlas/data-store#328',
  },
];

function spelled(name: string, path: string): OpenRow {
  const outcomes: readonly Outcome[] = [
    [CREATED, `routed to /plants; ${FOLLOW}`],
    [{ status: [400, 403, 404] }, `not routed; ${FOLLOW}`],
  ];
  return { name, request: { path: `<base>${path}` }, outcomes };
}

function unknownMethod(method: string): OpenRow {
  return {
    name: `method ${method}`,
    request: { method, headers: [JSON_TYPE] },
    outcomes: [
      [NOT_FOUND, 'an unknown route: docs/errors.md is right'],
      [gatewayError(400), 'DEFAULT_4XX: docs/errors.md is right'],
      [gatewayError(401), 'a POST: change tools/emulator/rest-api/'],
      [frontEnd([400, 403, 404, 405, 501]), 'AWS rejects it: name it in docs/errors.md'],
    ],
  };
}

export const spellings: readonly Row[] = [
  {
    name: 'slash after plants',
    request: { path: '<base>/plants/' },
    expected: CREATED,
    source: 'aws/chalice#65; aws-powertools/powertools-lambda-python#1552',
  },
  {
    name: 'two slashes before plants',
    request: { path: '<base>//plants' },
    expected: CREATED,
    source: `${SNAPSHOTS}; localstack/localstack#11253`,
  },
  spelled('two slashes after plants', '/plants//'),
  spelled('percent-encoded letter', '/%70lants'),
  spelled('dot segment', '/./plants'),
  spelled('parent segment', '/x/../plants'),
  spelled('bad percent escape in the path', '/plants%zz'),
  {
    name: 'X-HTTP-Method-Override: POST on GET',
    request: { method: 'GET', headers: [TOKEN, JSON_TYPE, ['X-HTTP-Method-Override', 'POST']] },
    expected: CREATED,
    source: 'AWS, "Important notes" of API Gateway',
  },
  unknownMethod('FOO'),
  unknownMethod('post'),
];

function otherStage(name: string, path: string): SettledRow {
  return {
    name,
    request: { path },
    needsStage: true,
    expected: frontEnd(403, 'Forbidden'),
    source: 're:Post, "troubleshoot HTTP 403 errors from API Gateway"; ustaxcourt/ef-cms#572',
  };
}

export const stages = [
  otherStage('no stage', '/plants'),
  otherStage('wrong stage', '/nope/plants'),
  otherStage('root of the host', '/'),
];
