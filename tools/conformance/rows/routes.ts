import { CREATED, frontEnd, gatewayError } from '../expectation.ts';
import { JSON_TYPE, PLANT, type Row, TOKEN } from '../row.ts';

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
  (route): Row => ({
    name: `${route} without a token`,
    request: { ...requestOf(route), headers: [JSON_TYPE] },
    expected: gatewayError(404),
    source: `${SNAPSHOTS}; ministack#1756`,
    inProd: true,
  }),
);

export const withToken: readonly Row[] = [
  ...unknownRoutes.map((route) => ({ name: `${route} with a token`, request: requestOf(route) })),
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

function otherStage(name: string, path: string): Row {
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
