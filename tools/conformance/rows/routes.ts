import { CREATED, frontEnd, gatewayError } from '../expectation.ts';
import { JSON_TYPE, type Outcome, PLANT, type Row, type SettledRow, TOKEN } from '../row.ts';

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
    inProd: true,
  }),
);

const WITH_TOKEN: readonly Outcome[] = [
  [NOT_FOUND, 'decision 0008 and docs/errors.md are correct'],
  [
    { status: 403, error: 2400 },
    'API Gateway uses the gateway response DEFAULT_4XX; document status 403 with error 2400 in decision 0008, docs/errors.md and openapi.json',
  ],
  [
    frontEnd(403),
    'the response has no Error body; document this in decision 0008, docs/errors.md and openapi.json',
  ],
];

export const withToken: readonly Row[] = [
  ...unknownRoutes.map((route) => ({
    name: `${route} with a token`,
    request: requestOf(route),
    outcomes: WITH_TOKEN,
  })),
  {
    name: 'error type for an unknown route with a token',
    request: { path: '<base>/nope' },
    expected: { status: [403, 404], errorType: 'IncompleteSignatureException' },
    source: 'serverless/serverless#3205; HumanCellAtlas/data-store#328',
  },
];

export const spellings: readonly Row[] = [
  {
    name: 'trailing slash',
    request: { path: '<base>/plants/' },
    expected: CREATED,
    source: 'aws/chalice#65; aws-powertools/powertools-lambda-python#1552',
  },
  {
    name: 'two slashes before "plants"',
    request: { path: '<base>//plants' },
    expected: CREATED,
    source: `${SNAPSHOTS}; localstack/localstack#11253`,
  },
  {
    name: 'GET with X-HTTP-Method-Override: POST',
    request: { method: 'GET', headers: [TOKEN, JSON_TYPE, ['X-HTTP-Method-Override', 'POST']] },
    expected: CREATED,
    source: 'AWS, "Important notes" for API Gateway',
  },
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
  otherStage('no stage and no route', '/'),
];
