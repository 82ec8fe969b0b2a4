import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../json.ts';
import type { GatewayResponseType } from '../../rest-api/gateway-error.ts';
import { gatewayResponse, parseGatewayResponses } from '../../rest-api/gateway-responses.ts';
import { gatewayResponse as gatewayResponseResource, resource } from '../fixtures/resources.ts';
import { template } from '../fixtures/template.ts';

describe('gatewayResponse', () => {
  const respond = (type: GatewayResponseType, ...configured: [string, JsonObject][]) => {
    const { all, resolver } = template({
      Other: resource('AWS::SNS::Topic'),
      ...Object.fromEntries(
        configured.map(([name, more], at) => [`R${at}`, gatewayResponseResource(name, more)]),
      ),
    });
    const { status, headers, body } = gatewayResponse(type, parseGatewayResponses(all, resolver));
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

  test('sets the headers of ResponseParameters', () => {
    const ResponseParameters = { 'gatewayresponse.header.Literal': "'it''s\nso'" };
    const { headers } = respond('UNAUTHORIZED', ['UNAUTHORIZED', { ResponseParameters }]);
    expect(headers).toEqual({
      'Content-Type': 'application/json',
      'x-amzn-ErrorType': 'UnauthorizedException',
      Literal: "it''s\nso",
    });
  });

  const header = (name: string, value: string): JsonObject => ({ ResponseParameters: { [name]: value } });
  const unsupported =
    ' is not supported by the emulator: add it in emulator/rest-api/gateway-responses.ts, or remove it from the stack';
  test.each<[JsonObject, string]>([
    [{ ResponseType: { Ref: 'AWS::NoValue' } }, 'R0.ResponseType is missing'],
    [{ ResponseType: [] }, 'R0.ResponseType must be a string, not []'],
    [{ StatusCode: 'x' }, 'R0.StatusCode must be a number, not "x"'],
    [{ ResponseParameters: 'x' }, 'R0.ResponseParameters must be an object, not "x"'],
    [{ ResponseTemplates: { a: [] } }, 'R0.ResponseTemplates.a must be a string, not []'],
    [{ ResponseTemplates: { 'text/plain': 'x' } }, `R0.ResponseTemplates: text/plain${unsupported}`],
    [text('{"id":"$context.requestId"}'), `R0.ResponseTemplates: {"id":"$context.requestId"}${unsupported}`],
    [
      header('gatewayresponse.header.A', 'method.request.header.B'),
      `R0.ResponseParameters: gatewayresponse.header.A with method.request.header.B${unsupported}`,
    ],
    [
      header('gatewayresponse.header.A', "'x'y"),
      `R0.ResponseParameters: gatewayresponse.header.A with 'x'y${unsupported}`,
    ],
    [
      header('gatewayresponse.header.A', "x'y'"),
      `R0.ResponseParameters: gatewayresponse.header.A with x'y'${unsupported}`,
    ],
    [
      header('gatewayresponse.other.A', "'x'"),
      `R0.ResponseParameters: gatewayresponse.other.A with 'x'${unsupported}`,
    ],
  ])('rejects %j by name', (properties, message) => {
    const failure = () => respond('UNAUTHORIZED', ['UNAUTHORIZED', properties]);
    expect(failure).toThrow(new Error(message));
  });
});
