import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../../emulator/json.ts';
import type { GatewayResponseType } from '../../../emulator/rest-api/gateway-error.ts';
import { gatewayResponse, parseGatewayResponses } from '../../../emulator/rest-api/gateway-responses.ts';
import { request } from '../../emulator/fixtures/gateway-request.ts';
import { gatewayResponse as gatewayResponseResource, resource } from '../../emulator/fixtures/resources.ts';
import { template } from '../../emulator/fixtures/template.ts';

describe('gatewayResponse', () => {
  const respond = (type: GatewayResponseType, ...configured: [string, JsonObject][]) => {
    const { all, resolver } = template({
      Other: resource('AWS::SNS::Topic'),
      ...Object.fromEntries(
        configured.map(([name, more], at) => [`R${at}`, gatewayResponseResource(name, more)]),
      ),
    });
    const { status, headers, body } = gatewayResponse(type, parseGatewayResponses(all, resolver), request);
    return { status, headers: Object.fromEntries(headers), body: body.toString() };
  };
  const text = (template: string): JsonObject => ({ ResponseTemplates: { 'application/json': template } });

  test('returns AWS’s default if the template has no gateway response', () => {
    expect(respond('THROTTLED')).toEqual({
      status: 429,
      headers: { 'Content-Type': 'application/json', 'x-amzn-ErrorType': 'TooManyRequestsException' },
      body: '{"message":"Too Many Requests"}',
    });
  });

  test('prefers the template’s response for the type, then its DEFAULT_4XX or DEFAULT_5XX', () => {
    const own: [string, JsonObject] = ['THROTTLED', { ...text('own'), StatusCode: '420' }];
    expect(respond('THROTTLED', ['DEFAULT_4XX', text('4')], own)).toMatchObject({ status: 420, body: 'own' });
    expect(respond('UNAUTHORIZED', own, ['DEFAULT_4XX', text('4')])).toMatchObject({
      status: 401,
      body: '4',
    });
    expect(
      respond('INTEGRATION_TIMEOUT', ['DEFAULT_4XX', text('4')], ['DEFAULT_5XX', text('5')]),
    ).toMatchObject({
      status: 504,
      body: '5',
    });
    expect(respond('AUTHORIZER_FAILURE', ['DEFAULT_5XX', text('5')])).toMatchObject({
      status: 500,
      body: '5',
    });
  });

  test.each([
    ['$context.error.messageString', '"Unauthorized"'],
    ['$context.error.message', 'Unauthorized'],
    ['$context.error.responseType', 'UNAUTHORIZED'],
    ['$context.requestId $context.extendedRequestId', 'request-1 request-1'],
    ['$context.httpMethod $context.path $context.protocol', 'POST /plants HTTP/1.1'],
    ['$context.stage $context.apiId $context.identity.sourceIp', 'dev Api 192.0.2.1'],
    ['$context.requestTimeEpoch', '1800000000000'],
    [`\${context.stage}ment`, 'devment'],
    ['$stageVariables.colour|$stageVariables.none', 'green|'],
    ['$method.request.header.Origin|$method.request.header.None', 'https://a.example|'],
    ['$method.request.querystring.page|$method.request.querystring.none', '7|'],
    ['$method.request.path.id|$context.nothing', '|'],
    ['cents: 5$ $other', 'cents: 5$ $other'],
  ])('substitutes %s with %s', (template, body) => {
    expect(respond('UNAUTHORIZED', ['UNAUTHORIZED', text(template)])).toMatchObject({ body });
  });

  test('sets the headers of ResponseParameters, from literals and mappings', () => {
    const ResponseParameters = {
      'gatewayresponse.header.Literal': "'it''s\nso'",
      'gatewayresponse.header.Mapped': 'method.request.header.Origin',
      'gatewayresponse.header.Context': 'context.requestId',
      'gatewayresponse.header.Begins': "'x'y",
      'gatewayresponse.header.Ends': "x'y'",
      'gatewayresponse.other.X': "'x'",
    };
    const { headers } = respond('UNAUTHORIZED', ['UNAUTHORIZED', { ResponseParameters }]);
    expect(headers).toEqual({
      'Content-Type': 'application/json',
      'x-amzn-ErrorType': 'UnauthorizedException',
      Literal: "it''s\nso",
      Mapped: 'https://a.example',
      Context: 'request-1',
      Begins: '',
      Ends: '',
    });
  });

  test('uses the template for application/json if there is one, otherwise another', () => {
    const two = { ResponseTemplates: { 'text/plain': 'plain', 'application/json': 'json' } };
    const one = { ResponseTemplates: { 'text/plain': 'plain' } };
    expect(respond('UNAUTHORIZED', ['UNAUTHORIZED', two]).body).toBe('json');
    expect(respond('UNAUTHORIZED', ['UNAUTHORIZED', one])).toMatchObject({
      body: 'plain',
      headers: { 'Content-Type': 'text/plain' },
    });
  });

  test.each<[JsonObject, RegExp]>([
    [{ ResponseType: { Ref: 'AWS::NoValue' } }, /^R0\.ResponseType is missing$/],
    [{ ResponseType: [] }, /^R0\.ResponseType must be a string, not \[\]$/],
    [{ StatusCode: 'x' }, /^R0\.StatusCode must be a number/],
    [{ ResponseParameters: 'x' }, /^R0\.ResponseParameters must be an object/],
    [{ ResponseTemplates: { a: [] } }, /^R0\.ResponseTemplates\.a must be a string/],
  ])('rejects %j by name', (properties, message) => {
    expect(() => respond('UNAUTHORIZED', ['UNAUTHORIZED', properties])).toThrow(message);
  });
});
