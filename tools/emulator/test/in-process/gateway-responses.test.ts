import { expect, test } from '@jest/globals';
import type { JsonObject } from '../../json.ts';
import {
  createGatewayResponses,
  type GatewayResponseType,
} from '../../rest-api/gateway-responses.ts';
import { Resolver } from '../../template/intrinsics.ts';
import { parseTemplate } from '../../template/template.ts';
import { gatewayResponse, resource } from '../fixtures/resources.ts';

const respond = (type: GatewayResponseType, ...configured: [string, JsonObject][]) => {
  const Resources = {
    Other: resource('AWS::SNS::Topic'),
    ...Object.fromEntries(
      configured.map(([name, more], at) => [`R${at}`, gatewayResponse(name, more)]),
    ),
  };
  const responses = createGatewayResponses(new Resolver(parseTemplate({ Resources }, 'any')));
  const { status, headers, body } = responses(type);
  return { status, headers: Object.fromEntries(headers), body: body.toString() };
};
const text = (template: string): JsonObject => ({
  ResponseTemplates: { 'application/json': template },
});

test('returns AWS’s default response if the template has no gateway response', () => {
  expect(respond('THROTTLED')).toEqual({
    status: 429,
    headers: { 'Content-Type': 'application/json', 'x-amzn-ErrorType': 'TooManyRequestsException' },
    body: '{"message":"Too Many Requests"}',
  });
});

const header = (name: string, value: string): JsonObject => ({
  ResponseParameters: { [name]: value },
});
const own: [string, JsonObject] = [
  'THROTTLED',
  { ...text('own'), ...header('gatewayresponse.header.Literal', "'it''s\nso'"), StatusCode: '420' },
];
const defaults: [string, JsonObject][] = [
  ['DEFAULT_4XX', text('4')],
  ['DEFAULT_5XX', text('5')],
];
test.each<[GatewayResponseType, number, string]>([
  ['THROTTLED', 420, 'own'],
  ['UNAUTHORIZED', 401, '4'],
  ['INTEGRATION_TIMEOUT', 504, '5'],
  ['AUTHORIZER_FAILURE', 500, '5'],
])(
  'uses the template’s response for %s, or else its DEFAULT_4XX or DEFAULT_5XX',
  (type, status, body) => {
    const response = respond(type, own, ...defaults);
    expect(response).toMatchObject({ status, body });
    expect(response.headers.Literal).toBe(body === 'own' ? "it''s\nso" : undefined);
  },
);

test.each<[JsonObject, string]>([
  [{ StatusCode: 'x' }, 'R0.StatusCode must be a number, got "x"'],
  [
    { ResponseTemplates: { 'text/plain': 'x' } },
    'R0.ResponseTemplates: text/plain is not supported',
  ],
  [
    text('{"id":"$context.requestId"}'),
    'R0.ResponseTemplates: {"id":"$context.requestId"} is not supported',
  ],
  [
    header('gatewayresponse.header.A', 'other'),
    'R0.ResponseParameters: gatewayresponse.header.A with the value other is not supported',
  ],
  [header('other', "'x'"), "R0.ResponseParameters: other with the value 'x' is not supported"],
])('rejects a gateway response that has %j, and names the property', (properties, message) => {
  expect(() => respond('UNAUTHORIZED', ['UNAUTHORIZED', properties])).toThrow(message);
});
