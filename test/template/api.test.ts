import { describe, expect, jest, test } from '@jest/globals';
import { operations as contract } from '../../lambda/generated/operations.ts';
import { gatewayErrors } from '../../lambda/shared/errors.ts';
import { METRICS_NAMESPACE } from '../../lambda/shared/log/request-log.ts';
import { ACCESS_TOKEN_PATTERN } from '../../lambda/shared/tokens/access-token.ts';
import { validationExpression } from '../../lambda/shared/tokens/token-authorizer.ts';
import { stackResources } from '../support/assembly/stack-template.ts';
import { ofType } from '../support/assembly/template-resources.ts';
import { read } from '../support/pages/code-blocks.ts';

const resources = stackResources();
const openapi = JSON.parse(read('openapi.json'));

/** The path of an API resource. Every resource except the root is referenced with `Ref`. */
function pathOf({ Ref }: { Ref?: string }): string {
  const resource = resources.find(({ logicalId }) => logicalId === Ref)?.Properties;
  return resource === undefined ? '' : `${pathOf(resource.ParentId)}/${resource.PathPart}`;
}

test('the API has exactly the operations in openapi.json, each behind the authorizer', () => {
  const [authorizer] = ofType(resources, 'AWS::ApiGateway::Authorizer');
  const documented = Object.entries<object>(openapi.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  const methods = ofType(resources, 'AWS::ApiGateway::Method').map(({ Properties }) => {
    expect(Properties.AuthorizerId).toEqual({ Ref: authorizer?.logicalId });
    return `${Properties.HttpMethod} ${pathOf(Properties.ResourceId)}`;
  });
  expect(methods.sort()).toEqual(documented.sort());
});

test.each([
  [
    'lib/operations.ts lacks the operation other: add it, or remove it from openapi.json',
    [...contract, { operationId: 'other' }],
  ],
  [
    `openapi.json lacks the operation ${contract[0].operationId}: add it, or remove it from lib/operations.ts`,
    contract.slice(1),
  ],
  [
    'lambda/authorize/ is not an operation: choose another operationId',
    [...contract, { ...contract[0], functionName: 'authorize' }],
  ],
])(
  'listOperations rejects an operation that only one file has, or that has a name in use: %s',
  async (message, operations) => {
    await jest.isolateModulesAsync(async () => {
      jest.doMock('../../lambda/generated/operations.ts', () => ({ operations }));
      const { listOperations } = await import('../../lib/operations.ts');
      expect(listOperations).toThrow(expect.objectContaining({ name: 'UserError', message }));
    });
  },
);

test('the authorizer sees only what looks like a token, and is cached for a minute', () => {
  const [authorizer] = ofType(resources, 'AWS::ApiGateway::Authorizer');
  expect(authorizer?.Properties).toMatchObject({
    IdentityValidationExpression: validationExpression(ACCESS_TOKEN_PATTERN),
    AuthorizerResultTtlInSeconds: 60,
  });
});

describe('the gateway responses', () => {
  const responses = ofType(resources, 'AWS::ApiGateway::GatewayResponse').map(
    ({ Properties }) => Properties,
  );
  const responseOf = (type: string) =>
    responses.find(({ ResponseType }) => ResponseType === type) ?? {};

  // test/in-process/lambda/shared/errors.test.ts compares gatewayErrors with openapi.json.
  test.each([
    // The status of a default response would apply to every type that is not in this list.
    ['DEFAULT_4XX', undefined, gatewayErrors.badRequest],
    ['DEFAULT_5XX', undefined, gatewayErrors.internalError],
    ['UNAUTHORIZED', '401', gatewayErrors.unauthorized],
    ['ACCESS_DENIED', '403', gatewayErrors.forbidden],
    ['WAF_FILTERED', '403', gatewayErrors.filtered],
    ['REQUEST_TOO_LARGE', '413', gatewayErrors.requestTooLarge],
    ['THROTTLED', '429', gatewayErrors.throttled],
    ['QUOTA_EXCEEDED', '429', gatewayErrors.throttled],
    ['RESOURCE_NOT_FOUND', '404', gatewayErrors.notFound],
    ['MISSING_AUTHENTICATION_TOKEN', '404', gatewayErrors.notFound],
    ['INVALID_SIGNATURE', '404', gatewayErrors.notFound],
    ['EXPIRED_TOKEN', '404', gatewayErrors.notFound],
    ['INTEGRATION_FAILURE', '502', gatewayErrors.badGateway],
    ['INTEGRATION_TIMEOUT', '504', gatewayErrors.gatewayTimeout],
  ])('gives its status and Error to %s', (type, status, { code, message }) => {
    const { StatusCode, ResponseTemplates } = responseOf(type);
    expect(StatusCode).toBe(status);
    expect(JSON.parse(ResponseTemplates['application/json'])).toEqual({ error: code, message });
  });

  // The tests of the conformance command and of OpenID Connect compare the challenges.
  test('tell a throttled client when to retry', () => {
    const headersOf = (type: string) => responseOf(type).ResponseParameters;
    expect(headersOf('THROTTLED')).toEqual({ 'gatewayresponse.header.Retry-After': "'1'" });
    expect(headersOf('DEFAULT_4XX')).toEqual({});
  });
});

describe('the access log', () => {
  const [stage] = ofType(resources, 'AWS::ApiGateway::Stage');
  const format: string = stage?.Properties.AccessLogSetting.Format;

  test('is JSON with these fields, none of which contains credentials or text of the client', () => {
    expect(JSON.parse(format.replaceAll('$context.', ''))).toEqual({
      requestId: 'requestId',
      time: 'requestTimeEpoch',
      stage: 'stage',
      sourceIp: 'identity.sourceIp',
      tlsVersion: 'tlsVersion',
      cipherSuite: 'cipherSuite',
      method: 'httpMethod',
      resource: 'resourcePath',
      status: 'status',
      responseLength: 'responseLength',
      latencyMs: 'responseLatency',
      integrationLatencyMs: 'integration.latency',
      integrationStatus: 'integration.status',
      integrationError: 'integration.error',
      integrationRequestId: 'integration.requestId',
      principal: 'authorizer.principalId',
      client: 'authorizer.client',
      authorizerStatus: 'authorizer.status',
      authorizerError: 'authorizer.error',
      authorizerLatencyMs: 'authorizer.latency',
      authorizerRequestId: 'authorizer.requestId',
      gatewayErrorType: 'error.responseType',
      traceId: 'xrayTraceId',
    });
    expect(stage?.Properties.TracingEnabled).toBe(true);
    // The query for a leaked token.
    expect(read('docs/operations.md')).toContain('filter principal = "ID"');
  });

  test('feeds the metrics of throttled requests, but not those of a web ACL, and of rejected credentials', () => {
    const LogGroupName = { Ref: expect.stringMatching(/^ApiAccessLog/) };
    const Dimensions = [{ Key: 'stage', Value: '$.stage' }];
    const metric = { MetricNamespace: METRICS_NAMESPACE, MetricValue: '1', Dimensions };
    const filters = ofType(resources, 'AWS::Logs::MetricFilter');
    const expected = [
      ['Throttled', '{ ($.status = "429") && ($.gatewayErrorType != "WAF_FILTERED") }'],
      ['RejectedCredentials', '{ ($.status = "401") || ($.status = "403") }'],
    ].map(([MetricName, FilterPattern]) => ({
      LogGroupName,
      FilterPattern,
      MetricTransformations: [{ ...metric, MetricName }],
    }));
    expect(new Set(filters.map(({ Properties }) => Properties))).toEqual(new Set(expected));
  });
});
