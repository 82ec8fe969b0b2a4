import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { defaultResponses } from '../rest-api/gateway-responses.ts';
import type { Exchange, RequestObserver } from '../rest-api/request-listener.ts';
import { parseRestApi } from '../rest-api/rest-api.ts';
import { serveRestApi } from '../rest-api/server.ts';
import { Resolver } from '../template/intrinsics.ts';
import { parseTemplate } from '../template/template.ts';
import { startTestEmulator, type TestEmulator } from './fixtures/emulator.ts';
import { type Reply, send, sendBytes } from './fixtures/http.ts';
import {
  arnOf,
  gatewayResponse,
  method,
  restApi,
  routesTo,
  tokenAuthorizer,
} from './fixtures/resources.ts';
import * as routing from './recorded/routing.ts';
import {
  authorizerRows,
  eventRows,
  frontEndRows,
  type RecordedResponse,
  type RecordedRow,
  resultRows,
  routingRows,
  validToken,
} from './recorded/rows.ts';

/** This function returns its event, or the result in the event's body. */
const echo = `exports.handler = async (event) => {
  const body = event.body && Buffer.from(event.body, 'base64').toString();
  if (body?.startsWith('{"return":')) return JSON.parse(body).return;
  return { statusCode: 200, body: JSON.stringify({ ...event, body: event.body && event.body.slice(0, 40) }) };
};`;
const failing = {
  Throws: `exports.handler = async () => { throw new Error('a bug'); };`,
  Crashes: 'exports.handler = async () => process.exit(1);',
  ReturnsTooMuch: `exports.handler = async ({ body }) => ({ body: 'x'.repeat(body ? 6_200_000 : 6_300_000) });`,
  TakesTooLong: 'exports.handler = () => new Promise((resolve) => setTimeout(resolve, 1000, {}));',
};
/** This authorizer runs the command in the token, `Bearer {JSON}`. */
const authorize = `exports.handler = async (event) => {
  const token = JSON.parse(event.authorizationToken.slice(7));
  if (token.throw) throw new Error(token.throw);
  if (token.exit) process.exit(1);
  return token.return;
};`;

/** The body of each gateway response is the name of its type. */
const gatewayResponses = Object.fromEntries(
  Object.keys(defaultResponses).map((type) => [
    type.replaceAll('_', ''),
    gatewayResponse(type, { ResponseTemplates: { 'application/json': type } }),
  ]),
);

let received = () => {};
const responded: Exchange[] = [];
let emulator: TestEmulator;
beforeAll(async () => {
  const observer: RequestObserver = {
    received: () => received(),
    responded: (exchange) => responded.push(exchange),
  };
  const fixture = {
    functions: {
      ...failing,
      Echo: echo,
      Authorize: authorize,
      Broken: `throw new Error('cannot be loaded');`,
    },
    properties: { Echo: { Timeout: 20 } },
    resources: {
      ...routesTo(failing).resources,
      ...restApi({ api: { BinaryMediaTypes: ['*/*'] } }),
      ...method('plants', 'POST', arnOf('Echo'), { authorizer: 'Authorizer' }),
      ...method('trees/{id}', 'POST', arnOf('Echo'), { authorizer: 'Authorizer' }),
      ...method('broken', 'POST', arnOf('Echo'), { authorizer: 'BrokenAuthorizer' }),
      ...method('TakesTooLong', 'POST', arnOf('TakesTooLong'), {
        integration: { TimeoutInMillis: 200 },
      }),
      Authorizer: tokenAuthorizer(arnOf('Authorize'), {
        IdentityValidationExpression: '^Bearer +\\{.*\\}$',
      }),
      BrokenAuthorizer: tokenAuthorizer(arnOf('Broken')),
      ...gatewayResponses,
    },
  };
  emulator = await startTestEmulator(fixture, { observer });
});
afterAll(() => emulator.stop());

test('reports the authorizer’s context, and logs the reason, if the function of an allowed request fails', async () => {
  const body = '{"return":"a string"}';
  await send(emulator.url, '/plants', { method: 'POST', headers: validToken, body });
  expect(responded.at(-1)).toMatchObject({ status: 502, context: { principalId: 'me' } });
  const line = /^the function's result is invalid: it must be an object/;
  expect(emulator.lines).toContainEqual(expect.stringMatching(line));
});

test('reports no context, and logs nothing, if a request has no token', async () => {
  const logged = emulator.lines.length;
  await send(emulator.url, '/plants', { method: 'POST' });
  expect(responded.at(-1)).toMatchObject({ status: 401, context: undefined });
  // The function `broken` may end at any time.
  expect(emulator.lines.slice(logged).filter((line) => !line.startsWith('broken:'))).toEqual([]);
});

/** Adds a test for each row. The title includes the source that recorded AWS's response. */
function responds(rows: readonly RecordedRow[]): void {
  for (const [what, { path = '/plants', ...request }, response, source] of rows) {
    test(`${what} (${source})`, async () => {
      const reply = await send(emulator.url, path, {
        method: 'POST',
        headers: validToken,
        ...request,
      });
      assertRecorded(reply, response);
    });
  }
}

function assertRecorded(
  reply: Reply,
  { status, text = reply.text, ...recorded }: RecordedResponse,
): void {
  const { headers = {}, event, requestId } = recorded;
  expect({ status: reply.status, text: reply.text }).toEqual({ status, text });
  for (const [name, value] of Object.entries(headers))
    expect([name, reply.headers[name]]).toEqual([name, value]);
  if (event !== undefined) expect(JSON.parse(reply.text)).toMatchObject(event);
  if (requestId !== undefined) expect('x-amzn-requestid' in reply.headers).toBe(requestId);
}

describe('the emulator responds like AWS’s front end to', () => {
  responds(frontEndRows);

  test('malformed HTTP, which gets a 400 without a JSON body (AWS knowledge center: HTTP 403 errors)', async () => {
    const response = await sendBytes(emulator.url, 'POST /plants\r\nnonsense\r\n\r\n');
    expect(response).toMatch(/^HTTP\/1.1 400 /);
    expect(response).not.toMatch(/[{}]|x-amzn/i);
  });
});

describe('the emulator routes like API Gateway:', () => responds(routingRows));
describe('the emulator routes like API Gateway in an API with path parameters:', () => {
  let server: Awaited<ReturnType<typeof serveRestApi>>;
  beforeAll(async () => {
    const declared = routing.methods.map((each) => {
      const [httpMethod = '', path = ''] = each.split(' /');
      return method(path, httpMethod, 'any');
    });
    const Resources = Object.assign(restApi(), gatewayResponses, ...declared);
    const resolver = new Resolver(parseTemplate({ Resources }));
    /** Each function returns its event. */
    const api = parseRestApi(resolver, () => async (event) => {
      return Buffer.from(JSON.stringify({ body: event }));
    });
    server = await serveRestApi(async () => api, { host: '127.0.0.1', port: 0, log: () => {} });
  });
  afterAll(() => server.stop());

  for (const [request, response, source] of routing.rows) {
    const [httpMethod = '', path = ''] = request.split(' ');
    test(`${request} (${source})`, async () =>
      assertRecorded(await send(server.url, path, { method: httpMethod }), response));
  }
});

describe('the emulator handles TOKEN authorizers like AWS:', () => responds(authorizerRows));
describe('the emulator handles function results like AWS:', () => responds(resultRows));
describe("a function's event contains, as in AWS,", () => responds(eventRows));

// The last test, because it stops the emulator.
test('completes a request in progress before the emulator stops, and reports its milliseconds', async () => {
  received = emulator.stop;
  await send(emulator.url, '/TakesTooLong', { method: 'POST' });
  const { status, milliseconds } = responded.at(-1) ?? {};
  expect(status).toBe(504);
  expect(milliseconds).toBeGreaterThan(190);
});
