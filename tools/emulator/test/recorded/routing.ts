import { missingToken, ok, type RecordedResponse } from './rows.ts';
import * as from from './sources.ts';

/** An API and requests to it, each with the expected response and the source of that response. */
export interface RecordedApi {
  readonly methods: readonly string[];
  readonly rows: readonly (readonly [
    request: string,
    response: RecordedResponse,
    source: string,
  ])[];
}

const servedBy = (resource: string, pathParameters: object | null): RecordedResponse => ({
  ...ok,
  event: { resource, pathParameters },
});
const proxy = (value: string) => servedBy('/{proxy+}', { proxy: value });

const methodRequest = from.guide('method request');

/**
 * In this API, `/jobs` has no method, and no method has an authorizer. In the API that was measured, /admin used
 * AWS_IAM.
 */
const anyProxy: RecordedApi = {
  methods: ['ANY /{proxy+}', 'GET /jobs/{type}', 'OPTIONS /cors_only', 'POST /admin'],
  rows: [
    ['GET /jobs/reboot', servedBy('/jobs/{type}', { type: 'reboot' }), from.ministack],
    ['GET /jobs', proxy('jobs'), from.ministack],
    ['POST /jobs', proxy('jobs'), from.ministack],
    ['POST /jobs/reboot', proxy('jobs/reboot'), from.ministack],
    ['GET /cors_only', proxy('cors_only'), from.ministack],
    ['GET /admin', proxy('admin'), from.ministack],
    ['OPTIONS /cors_only', servedBy('/cors_only', null), 'inferred from GET /jobs/reboot'],
    ['DELETE /jobs/reboot/now', proxy('jobs/reboot/now'), `inferred from ${from.siblingOrder}`],
    ['GET /proxy-value/', proxy('proxy-value'), from.proxyEvent],
    ['GET /a//b', proxy('a//b'), from.proxyEvent],
    ['GET /test%2Balias@gmail.com/a+b', proxy('test%2Balias@gmail.com/a+b'), from.proxyEvent],
    [
      'GET /capture/space%20value',
      proxy('capture/space%20value'),
      'hotsock/voker: apigwv1-request.json',
    ],
    [
      'GET /jobs/my-id%2F100',
      servedBy('/jobs/{type}', { type: 'my-id%2F100' }),
      'aws/aws-sam-cli#3524',
    ],
    ['GET /', missingToken, `${from.guide('proxy integration')}: / needs a separate method`],
    [
      'PURGE /any',
      missingToken,
      `${from.guide('method request')}: ANY includes only seven methods`,
    ],
  ],
};

const siblings: RecordedApi = {
  methods: [
    'GET /users/{userId}',
    'PATCH /users/me',
    'GET /roles/{roleId}',
    'POST /roles/provision',
    'ANY /things/{proxy+}',
    'GET /things/real',
  ],
  rows: [
    ['GET /users/me', servedBy('/users/{userId}', { userId: 'me' }), from.floci],
    ['PATCH /users/me', servedBy('/users/me', null), from.floci],
    ['GET /users/abc123', servedBy('/users/{userId}', { userId: 'abc123' }), from.floci],
    ['POST /users/me', missingToken, from.floci],
    ['POST /roles/provision', servedBy('/roles/provision', null), from.floci],
    ['GET /roles/provision', servedBy('/roles/{roleId}', { roleId: 'provision' }), from.floci],
    ['GET /things/real', servedBy('/things/real', null), from.floci],
    ['POST /things/real', servedBy('/things/{proxy+}', { proxy: 'real' }), from.floci],
    ['GET /users/a/b', missingToken, 'inferred from {proxy+}, which matches several segments'],
  ],
};

const methods: RecordedApi = {
  methods: ['POST /test', 'ANY /test/any', 'OPTIONS /{proxy+}'],
  rows: [
    ['OPTIONS /test', proxy('test'), from.siblingMethods],
    ['POST /test', servedBy('/test', null), from.siblingMethods],
    ['OPTIONS /test/any', servedBy('/test/any', null), from.siblingMethods],
    ['GET /test/any', servedBy('/test/any', null), from.siblingMethods],
  ],
};

const order: RecordedApi = {
  methods: ['GET /{param+}', 'GET /part1/hardcoded-value', 'GET /part1'],
  rows: [
    ['GET /part1', servedBy('/part1', null), from.siblingOrder],
    ['GET /part1/hardcoded-value', servedBy('/part1/hardcoded-value', null), from.siblingOrder],
    [
      'GET /part1/random-value',
      servedBy('/{param+}', { param: 'part1/random-value' }),
      from.siblingOrder,
    ],
  ],
};

const unrecorded: RecordedApi = {
  methods: [
    'ANY /a/{proxy+}',
    'ANY /{proxy+}',
    'GET /b/{id}/c',
    'GET /b/x/d',
    'GET /c/{id}',
    'GET /c/x',
    'GET /v1.0/{id}/{rest+}',
    'ANY /both',
    'GET /both',
  ],
  rows: [
    ['GET /a/b/c', servedBy('/a/{proxy+}', { proxy: 'b/c' }), methodRequest],
    ['GET /c/x', servedBy('/c/x', null), methodRequest],
    ['GET /b/x/c', servedBy('/b/{id}/c', { id: 'x' }), `inferred from ${from.floci}`],
    ['GET /v1.0/1/b/c', servedBy('/v1.0/{id}/{rest+}', { id: '1', rest: 'b/c' }), methodRequest],
    [
      'GET /both',
      { ...ok, event: { declared: 'GET' } },
      'aws-cdk: addCorsPreflight adds OPTIONS next to ANY',
    ],
    ['POST /both', { ...ok, event: { declared: 'ANY', httpMethod: 'POST' } }, from.proxyEvent],
    ['GET /b/1/c/', servedBy('/b/{id}/c', { id: '1' }), 'aws/chalice#65'],
  ],
};

export const recordedApis: readonly RecordedApi[] = [
  anyProxy,
  siblings,
  methods,
  order,
  unrecorded,
];
