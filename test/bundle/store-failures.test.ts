import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { authorizeEvent, createPlantEvent } from './events.ts';
import { type RunningFunction, startFunction } from './running-function.ts';
import { json, type Reply, type ScriptedStore, startStore } from './scripted-store.ts';

/** Lambda would give the function up after 10. */
const LONGEST_ANSWER_MS = 9_000;

const awsError = (status: number, name: string) =>
  json(status, { __type: `com.amazonaws.dynamodb.v20120810#${name}` });

const silence: Reply = () => {};
const reset: Reply = (response) => response.socket?.resetAndDestroy();
const partOfABody: Reply = (response) =>
  response.writeHead(200, { 'Content-Length': 1_000 }).write('{"Attri');
const cutBody: Reply = (response, request) => {
  partOfABody(response, request);
  setTimeout(() => response.destroy(), 20);
};
const neverEndingBody: Reply = (response, request) => {
  partOfABody(response, request);
  const drip = setInterval(() => response.write(' '), 200);
  response.on('close', () => clearInterval(drip));
};

const stops: (() => Promise<void>)[] = [];
let store: ScriptedStore;
let createPlant: RunningFunction;
let authorize: RunningFunction;

beforeAll(async () => {
  store = await startStore();
  stops.push(store.stop);
  const environment = { AWS_ENDPOINT_URL_DYNAMODB: store.endpoint };
  createPlant = await startFunction('create-plant', environment);
  stops.unshift(createPlant.stop);
  authorize = await startFunction('authorize', environment);
  stops.unshift(authorize.stop);
});

afterAll(async () => {
  for (const stop of stops) await stop();
});

describe.each<[string, Reply]>([
  ['says nothing', silence],
  ['resets the connection', reset],
  ['stalls in the middle of a reply', partOfABody],
  ['cuts its reply', cutBody],
  ['never ends its reply', neverEndingBody],
  ['answers 500', awsError(500, 'InternalServerError')],
  ['throttles', awsError(400, 'ProvisionedThroughputExceededException')],
  ['answers with something else than JSON', (response) => response.end('<html>')],
  ['refuses the credentials', awsError(400, 'UnrecognizedClientException')],
])('a store that %s', (_name, reply) => {
  test(
    'is error 1500, which says to try again, and leaves a token neither allowed nor refused',
    async () => {
      store.script = [reply];
      const [created, authorized] = await Promise.all([
        createPlant.invoke(createPlantEvent('{"id":1,"name":"Ficus"}')),
        authorize.invoke(authorizeEvent),
      ]);
      expect(created.result).toMatchObject({ statusCode: 400, headers: { 'Retry-After': '1' } });
      expect(JSON.parse(Object(created.result).body)).toMatchObject({ error: 1500 });
      expect(authorized.result).toBeUndefined();
      expect(authorized.error).not.toBe('Unauthorized');
      expect(authorized.error).toBeTruthy();
    },
    LONGEST_ANSWER_MS,
  );
});

describe.each<[string, Reply]>([
  ['is lost', reset],
  ['never comes', silence],
  ['stalls in the middle', partOfABody],
  ['is cut', cutBody],
])('a plant that was written, and the reply %s', (_name, loss) => {
  test(
    'is created',
    async () => {
      let written: unknown;
      store.script = [
        (response, request) => {
          written = request.body.Item;
          loss(response, request);
        },
        // The condition holds: it is the very same plant.
        (response, request) => json(200, { Attributes: written })(response, request),
      ];
      const { result } = await createPlant.invoke(createPlantEvent('{"id":1,"name":"Ficus"}'));
      expect(result).toMatchObject({ statusCode: 200, body: '{"name":"Ficus"}' });
      expect(written).toEqual({ id: { N: '1' }, name: { S: 'Ficus' } });
    },
    LONGEST_ANSWER_MS,
  );
});
