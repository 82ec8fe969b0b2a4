import { expect, test } from '@jest/globals';
import type { JsonObject } from '../../json.ts';
import {
  type GatewayResponseType,
  parseGatewayResponses,
} from '../../rest-api/gateway-responses.ts';
import { Resolver } from '../../template/intrinsics.ts';
import { parseTemplate } from '../../template/template.ts';
import { gatewayResponse } from '../fixtures/resources.ts';

/** Returns the response of a type in an API with these gateway responses, by type. */
function respond(type: GatewayResponseType, configured: Readonly<Record<string, JsonObject>> = {}) {
  const Resources = Object.fromEntries(
    Object.entries(configured).map(([name, more]) => [name, gatewayResponse(name, more)]),
  );
  const responses = parseGatewayResponses(new Resolver(parseTemplate({ Resources })));
  const { status, headers, body } = responses(type);
  return { status, headers: Object.fromEntries(headers), body: body.toString() };
}

const text = (template: string): JsonObject => ({
  ResponseTemplates: { 'application/json': template },
});
const header = (name: string, value: string): JsonObject => ({
  ResponseParameters: { [name]: value },
});

test('returns AWS’s default response if the template has no gateway response', () => {
  expect(respond('ACCESS_DENIED')).toEqual({
    status: 403,
    headers: { 'Content-Type': 'application/json', 'x-amzn-ErrorType': 'AccessDeniedException' },
    body: '{"message":"User is not authorized to access this resource"}',
  });
});

test('returns the status, headers and body of the template’s gateway response', () => {
  const ACCESS_DENIED = {
    StatusCode: '420',
    ...header('gatewayresponse.header.Literal', "'it''s'"),
    ...text('own'),
  };
  expect(respond('ACCESS_DENIED', { ACCESS_DENIED, DEFAULT_4XX: text('4') })).toMatchObject({
    status: 420,
    headers: { Literal: "it''s" },
    body: 'own',
  });
});

test.each<[GatewayResponseType, number, string]>([
  ['UNAUTHORIZED', 401, '4'],
  ['INTEGRATION_TIMEOUT', 504, '5'],
  ['API_CONFIGURATION_ERROR', 500, '5'],
])(
  'uses DEFAULT_4XX or DEFAULT_5XX if there is no gateway response for %s',
  (type, status, body) => {
    const configured = {
      ACCESS_DENIED: text('own'),
      DEFAULT_4XX: text('4'),
      DEFAULT_5XX: text('5'),
    };
    expect(respond(type, configured)).toMatchObject({ status, body });
  },
);

test.each<[JsonObject, string]>([
  [{ StatusCode: 'x' }, 'StatusCode must be a number, got "x"'],
  [{ ResponseTemplates: { 'text/plain': 'x' } }, 'ResponseTemplates: text/plain is not supported'],
  [
    text('{"id":"$context.requestId"}'),
    'ResponseTemplates: {"id":"$context.requestId"} is not supported',
  ],
  [
    header('gatewayresponse.header.A', 'other'),
    'ResponseParameters: gatewayresponse.header.A with the value other is not supported',
  ],
  [header('other', "'x'"), "ResponseParameters: other with the value 'x' is not supported"],
])('rejects a gateway response and names the property, with %j', (ACCESS_DENIED, message) => {
  expect(() => respond('ACCESS_DENIED', { ACCESS_DENIED })).toThrow(`ACCESS_DENIED.${message}`);
});
