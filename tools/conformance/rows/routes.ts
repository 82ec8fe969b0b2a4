import { operations } from '../../../lambda/generated/operations.ts';
import { INVALID_BODY } from '../../contract/example-requests.ts';
import {
  ARRIVED,
  gatewayError,
  JSON_TYPE,
  METHOD,
  PATH,
  type Row,
  TEMPLATE,
  TOKEN,
} from '../row.ts';

const SNAPSHOTS =
  'LocalStack, AWS-validated snapshots in tests/aws/services/apigateway/test_apigateway_lambda*';

const known = operations
  .filter(({ path }) => path === TEMPLATE)
  .map(({ method }): string => method);
const unknownRoutes = [
  ...['GET', 'PUT', 'OPTIONS']
    .filter((method) => !known.includes(method))
    .map((method) => [method, PATH]),
  ['POST', '/nope'],
  ['POST', '/'],
  [METHOD, PATH.toUpperCase()],
] as const;

export const routes: readonly Row[] = [
  ...unknownRoutes.map(([method, path]) => ({
    name: `${method} ${path} without a token`,
    method,
    path: `<base>${path}`,
    headers: JSON_TYPE,
    body: method === 'GET' ? '' : INVALID_BODY,
    expected: gatewayError(404),
    source: `${SNAPSHOTS}; ministack#1756`,
    inProd: true,
  })),
  {
    name: 'POST /nope with a token',
    method: 'POST',
    path: '<base>/nope',
    expected: { headers: { 'x-amzn-errortype': 'IncompleteSignatureException' } },
    source:
      'serverless/serverless#3205; HumanCellAtlas/data-store#328; neither has our gateway responses',
  },
  {
    name: 'trailing slash',
    path: `<base>${PATH}/`,
    expected: ARRIVED,
    source: 'aws/chalice#65; aws-powertools/powertools-lambda-python#1552',
  },
  {
    name: 'two slashes before the path',
    path: `<base>/${PATH}`,
    expected: ARRIVED,
    source: `${SNAPSHOTS}; localstack/localstack#11253`,
  },
  {
    name: `GET with X-HTTP-Method-Override: ${METHOD}`,
    method: 'GET',
    headers: { ...TOKEN, ...JSON_TYPE, 'X-HTTP-Method-Override': METHOD },
    expected: ARRIVED,
    source: 'AWS, "Important notes" for API Gateway',
  },
  {
    name: 'wrong stage',
    path: `/nope${PATH}`,
    expected: { status: 403, body: 'Forbidden' },
    source: 're:Post, "troubleshoot HTTP 403 errors from API Gateway"; ustaxcourt/ef-cms#572',
  },
];
