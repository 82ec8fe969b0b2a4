import { CREATED, gatewayError, JSON_TYPE, PLANT, type Row, TOKEN } from '../row.ts';

const SNAPSHOTS =
  'LocalStack, AWS-validated snapshots in tests/aws/services/apigateway/test_apigateway_lambda*';

const unknownRoutes = [
  ['GET', '/plants'],
  ['PUT', '/plants'],
  ['OPTIONS', '/plants'],
  ['POST', '/nope'],
  ['POST', '/'],
  ['POST', '/PLANTS'],
] as const;

const recordedWithToken = {
  expected: { headers: { 'x-amzn-errortype': 'IncompleteSignatureException' } },
  source: 'serverless/serverless#3205; HumanCellAtlas/data-store#328; neither has our gateway responses',
};

function otherStage(name: string, path: string): Row {
  return {
    name,
    path,
    needsStage: true,
    expected: { status: 403, body: 'Forbidden' },
    source: 're:Post, "troubleshoot HTTP 403 errors from API Gateway"; ustaxcourt/ef-cms#572',
  };
}

export const routes: readonly Row[] = [
  ...unknownRoutes.flatMap(([method, path]): Row[] => {
    const request = { method, path: `<base>${path}`, body: method === 'GET' ? '' : PLANT };
    return [
      {
        ...request,
        name: `${method} ${path} without a token`,
        headers: JSON_TYPE,
        expected: gatewayError(404),
        source: `${SNAPSHOTS}; ministack#1756`,
        inProd: true,
      },
      { ...request, name: `${method} ${path} with a token`, ...(path === '/nope' && recordedWithToken) },
    ];
  }),
  {
    name: 'trailing slash',
    path: '<base>/plants/',
    expected: CREATED,
    source: 'aws/chalice#65; aws-powertools/powertools-lambda-python#1552',
  },
  {
    name: 'two slashes before "plants"',
    path: '<base>//plants',
    expected: CREATED,
    source: `${SNAPSHOTS}; localstack/localstack#11253`,
  },
  {
    name: 'GET with X-HTTP-Method-Override: POST',
    method: 'GET',
    headers: { ...TOKEN, ...JSON_TYPE, 'X-HTTP-Method-Override': 'POST' },
    expected: CREATED,
    source: 'AWS, "Important notes" for API Gateway',
  },
  otherStage('no stage', '/plants'),
  otherStage('wrong stage', '/nope/plants'),
  otherStage('no stage and no route', '/'),
];
