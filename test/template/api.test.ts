import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { gatewayErrors } from '../../lambda/shared/errors.ts';
import { ACCESS_TOKEN_PATTERN } from '../../lambda/shared/tokens/access-token.ts';
import { validationExpression } from '../../lambda/shared/tokens/token-authorizer.ts';
import { stackTemplate } from './stack-template.ts';

const template = stackTemplate();
const openapi = JSON.parse(readFileSync(join(import.meta.dirname, '../../openapi.json'), 'utf8'));

interface GatewayResponse {
  readonly ResponseType: string;
  readonly StatusCode?: string;
  readonly ResponseParameters?: Record<string, string>;
  readonly ResponseTemplates: Record<string, string>;
}

const gatewayResponses: GatewayResponse[] = Object.values(
  template.findResources('AWS::ApiGateway::GatewayResponse'),
).map(({ Properties }) => Properties);

/** The path of a resource, whose root has no id of its own. */
function pathOf({ Ref = '' }: { Ref?: string }): string {
  const resource = template.findResources('AWS::ApiGateway::Resource')[Ref]?.Properties;
  return resource === undefined ? '' : `${pathOf(resource.ParentId)}/${resource.PathPart}`;
}

describe('the REST API', () => {
  test('has exactly the operations of openapi.json, each behind the authorizer', () => {
    const [authorizerId] = Object.keys(template.findResources('AWS::ApiGateway::Authorizer'));
    const operations = Object.entries<object>(openapi.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const methods = Object.values(template.findResources('AWS::ApiGateway::Method')).map(({ Properties }) => {
      expect(Properties).toMatchObject({
        AuthorizationType: 'CUSTOM',
        AuthorizerId: { Ref: authorizerId },
        Integration: { Type: 'AWS_PROXY' },
      });
      return `${Properties.HttpMethod} ${pathOf(Properties.ResourceId)}`;
    });
    expect(methods.sort()).toEqual(operations.sort());
  });
});

describe('the authorizer', () => {
  const Properties = Object.values(template.findResources('AWS::ApiGateway::Authorizer'))[0]?.Properties;

  test('reads the token from the Authorization header and caches its result for a minute', () => {
    expect(Properties).toMatchObject({
      Type: 'TOKEN',
      IdentitySource: 'method.request.header.Authorization',
      AuthorizerResultTtlInSeconds: 60,
    });
  });

  test('is invoked only for what can be an access token', () => {
    expect(Properties.IdentityValidationExpression).toBe(validationExpression(ACCESS_TOKEN_PATTERN));
  });
});

describe('the gateway responses', () => {
  test.each(gatewayResponses)('$ResponseType has an Error body that openapi.json documents', (response) => {
    const { error, message } = JSON.parse(response.ResponseTemplates['application/json'] ?? '');
    const { responses } = openapi.paths['/plants'].post;
    const { $ref } = responses[error - 2000] ?? responses.default;
    const { examples } = openapi.components.responses[$ref.split('/').at(-1)].content['application/json'];

    expect(Object.values(gatewayErrors)).toContainEqual(expect.objectContaining({ code: error, message }));
    expect(Object.values(examples)).toContainEqual(expect.objectContaining({ value: { error, message } }));
  });

  test('have the status error code minus 2000, except the defaults, which have none', () => {
    for (const { ResponseType, StatusCode, ResponseTemplates } of gatewayResponses) {
      const { error } = JSON.parse(ResponseTemplates['application/json'] ?? '');
      const status = ResponseType.startsWith('DEFAULT_') ? undefined : String(error - 2000);
      expect([ResponseType, StatusCode]).toEqual([ResponseType, status]);
    }
  });

  test('include defaults, so that every response of API Gateway has an Error body', () => {
    const types = gatewayResponses.map(({ ResponseType }) => ResponseType);
    expect(types).toEqual(expect.arrayContaining(['DEFAULT_4XX', 'DEFAULT_5XX']));
  });

  test('of a web ACL says that a firewall rejected the request, not that the token did not grant it', () => {
    const filtered = gatewayResponses.find(({ ResponseType }) => ResponseType === 'WAF_FILTERED');
    const { code: error, message } = gatewayErrors.filtered;
    expect(JSON.parse(filtered?.ResponseTemplates['application/json'] ?? '')).toEqual({ error, message });
    expect(message).not.toBe(gatewayErrors.forbidden.message);
    expect(filtered?.ResponseParameters).toEqual({});
  });

  test.each([
    ['UNAUTHORIZED', 'WWW-Authenticate', `'Bearer realm="plant-store"'`],
    ['THROTTLED', 'Retry-After', "'1'"],
  ])('%s has the header %s', (type, header, value) => {
    const response = gatewayResponses.find(({ ResponseType }) => ResponseType === type);
    expect(response?.ResponseParameters?.[`gatewayresponse.header.${header}`]).toBe(value);
  });
});
