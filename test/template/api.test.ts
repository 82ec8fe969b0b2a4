import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { gatewayErrors } from '../../lambda/shared/errors.ts';
import { METRICS_NAMESPACE } from '../../lambda/shared/log/request-log.ts';
import { ACCESS_TOKEN_PATTERN } from '../../lambda/shared/tokens/access-token.ts';
import { validationExpression } from '../../lambda/shared/tokens/token-authorizer.ts';
import { assertSameAsContract, operations } from '../../lib/operations.ts';
import { SetupError } from '../../lib/setup-error.ts';
import type { Json } from '../support/assembly/template-resources.ts';
import { stackTemplate } from './stack-template.ts';

const template = stackTemplate();
const openapi = JSON.parse(readFileSync(join(import.meta.dirname, '../../openapi.json'), 'utf8'));

const gatewayResponses: Json[] = Object.values(
  template.findResources('AWS::ApiGateway::GatewayResponse'),
).map(({ Properties }) => Properties);

/** The path of an API resource. Every resource except the root is referenced with `Ref`. */
function pathOf({ Ref = '' }: { Ref?: string }): string {
  const resource = template.findResources('AWS::ApiGateway::Resource')[Ref]?.Properties;
  return resource === undefined ? '' : `${pathOf(resource.ParentId)}/${resource.PathPart}`;
}

test('the API has exactly the operations in openapi.json, each behind the authorizer', () => {
  const [authorizerId] = Object.keys(template.findResources('AWS::ApiGateway::Authorizer'));
  const documented = Object.entries<object>(openapi.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  const methods = Object.values(template.findResources('AWS::ApiGateway::Method')).map(
    ({ Properties }) => {
      expect(Properties).toMatchObject({
        AuthorizationType: 'CUSTOM',
        AuthorizerId: { Ref: authorizerId },
        Integration: { Type: 'AWS_PROXY' },
      });
      return `${Properties.HttpMethod} ${pathOf(Properties.ResourceId)}`;
    },
  );
  expect(methods.sort()).toEqual(documented.sort());
});

test('assertSameAsContract names an operation that only openapi.json has', () => {
  const [first, ...others] = operations;
  const name = `${first.operationId} (${first.method} ${first.path})`;
  const message = `openapi.json has ${name}, but lib/operations.ts does not: add it there, or remove it from openapi.json`;
  expect(() => assertSameAsContract(others)).toThrow(new SetupError(message));
});

test.each([
  [
    'in lib/operations.ts',
    { operationId: 'other' },
    /^lib\/operations.ts has other \(.*, but openapi.json does not/,
  ],
  [
    'with another path',
    { path: '/other' },
    /\/other\), but openapi.json does not: add it there, or remove it/,
  ],
])('assertSameAsContract names an operation that is only %s', (_where, changed, message) => {
  const [first] = operations;
  expect(() => assertSameAsContract([...operations, { ...first, ...changed }])).toThrow(message);
});

test('API Gateway invokes the authorizer only for a header that looks like an access token, and caches the result for a minute', () => {
  template.hasResourceProperties('AWS::ApiGateway::Authorizer', {
    Type: 'TOKEN',
    IdentitySource: 'method.request.header.Authorization',
    IdentityValidationExpression: validationExpression(ACCESS_TOKEN_PATTERN),
    AuthorizerResultTtlInSeconds: 60,
  });
});

describe('the gateway response', () => {
  test.each(gatewayResponses)(
    '$ResponseType has an Error of gatewayErrors as its body, and the status of that Error',
    (response) => {
      // test/in-process/lambda/shared/errors.test.ts compares gatewayErrors with openapi.json.
      const { error, message } = JSON.parse(response.ResponseTemplates['application/json']);
      expect(Object.values(gatewayErrors)).toContainEqual(
        expect.objectContaining({ code: error, message }),
      );
      // A default must have no status, which would apply to every response type that the stack does not set.
      const hasStatus = !response.ResponseType.startsWith('DEFAULT_');
      expect(response.StatusCode).toBe(hasStatus ? `${error - 2000}` : undefined);
    },
  );

  const { badRequest, internalError, unauthorized, throttled, filtered, forbidden } = gatewayErrors;

  test.each([
    ['DEFAULT_4XX', badRequest, {}],
    ['DEFAULT_5XX', internalError, {}],
    ['UNAUTHORIZED', unauthorized, { 'WWW-Authenticate': `'Bearer realm="plant-store"'` }],
    [
      'ACCESS_DENIED',
      forbidden,
      { 'WWW-Authenticate': `'Bearer realm="plant-store", error="insufficient_scope"'` },
    ],
    ['THROTTLED', throttled, { 'Retry-After': "'1'" }],
    ['WAF_FILTERED', filtered, {}],
  ])('%s has the expected message and headers', (type, { code, message }, headers) => {
    const response = gatewayResponses.find(({ ResponseType }) => ResponseType === type);
    expect(JSON.parse(response.ResponseTemplates['application/json'])).toEqual({
      error: code,
      message,
    });
    const parameters = Object.entries(headers).map(([name, value]) => [
      `gatewayresponse.header.${name}`,
      value,
    ]);
    expect(response.ResponseParameters).toEqual(Object.fromEntries(parameters));
  });
});

describe('the access log', () => {
  const [stage] = Object.values(template.findResources('AWS::ApiGateway::Stage'));
  const line = JSON.parse(stage?.Properties.AccessLogSetting.Format);

  test('is JSON, and records the client, the TLS version, the result and the layer that failed', () => {
    expect(line).toMatchObject({
      requestId: '$context.requestId',
      status: '$context.status',
      tlsVersion: '$context.tlsVersion',
      cipherSuite: '$context.cipherSuite',
      principal: '$context.authorizer.principalId',
      client: '$context.authorizer.client',
      authorizerError: '$context.authorizer.error',
      authorizerRequestId: '$context.authorizer.requestId',
      integrationError: '$context.integration.error',
      gatewayErrorType: '$context.error.responseType',
    });
    expect(stage?.Properties.TracingEnabled).toBe(true);
  });

  test('is the source of a metric of throttled requests, except for those that a web ACL rejects, and of one of rejected credentials', () => {
    const filters = Object.values(template.findResources('AWS::Logs::MetricFilter'));
    const metric = (MetricName: string) => {
      const Dimensions = [{ Key: 'stage', Value: '$.stage' }];
      return [{ MetricNamespace: METRICS_NAMESPACE, MetricName, MetricValue: '1', Dimensions }];
    };
    const LogGroupName = { Ref: expect.stringMatching(/^ApiAccessLog/) };
    const throttled = '{ ($.status = "429") && ($.gatewayErrorType != "WAF_FILTERED") }';
    const rejected = '{ ($.status = "401") || ($.status = "403") }';
    expect(filters.map(({ Properties }) => Properties)).toEqual([
      { LogGroupName, FilterPattern: throttled, MetricTransformations: metric('Throttled') },
      {
        LogGroupName,
        FilterPattern: rejected,
        MetricTransformations: metric('RejectedCredentials'),
      },
    ]);
    expect(line.stage).toBe('$context.stage');
  });

  test('contains no text that a client controls, and no credentials', () => {
    expect(JSON.stringify(line)).not.toMatch(
      /\$context\.(path|identity\.userAgent|identity\.apiKey|error\.message)|header/i,
    );
  });
});
