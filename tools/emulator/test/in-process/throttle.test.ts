import { expect, jest, test } from '@jest/globals';
import { type Json, type JsonObject, Properties } from '../../json.ts';
import { throttleOf, tokenBucket } from '../../rest-api/throttle.ts';

test('a token bucket allows the burst, then refills at the rate, but never holds more than the burst', () => {
  let now = 0;
  jest.spyOn(performance, 'now').mockImplementation(() => now);
  const take = tokenBucket(10, 2);
  expect([take(), take(), take()]).toEqual([true, true, false]);
  now = 99;
  expect(take()).toBe(false);
  now = 100;
  expect([take(), take()]).toEqual([true, false]);
  now = 60_000;
  expect([take(), take(), take()]).toEqual([true, true, false]);
  jest.restoreAllMocks();
});

const setting = (more: JsonObject): JsonObject => ({
  ResourcePath: '/*',
  HttpMethod: '*',
  ...more,
});
const throttle = (settings: Json) =>
  throttleOf(Properties.of({ MethodSettings: settings }, 'Stage'));

test.each<[string, Json, number]>([
  ['a rate and a burst', [setting({ ThrottlingRateLimit: 0, ThrottlingBurstLimit: 4 })], 4],
  [
    'limits that are strings',
    [setting({ ThrottlingRateLimit: '0', ThrottlingBurstLimit: '1' })],
    1,
  ],
  ['a burst without a rate', [setting({ ThrottlingBurstLimit: 3 })], 5],
  ['no setting', [], 5],
])('with %s (%j), allows %i of 5 requests', (_what, settings, expected) => {
  expect(Array.from({ length: 5 }, throttle(settings)).filter(Boolean)).toHaveLength(expected);
});

test.each<[JsonObject, string]>([
  [setting({ CachingEnabled: true }), 'CachingEnabled'],
  [setting({ ResourcePath: '/~1plants', HttpMethod: 'POST' }), 'POST /~1plants'],
  [setting({}), 'several settings'],
])('rejects the unsupported method setting %j, and names it', (unsupported, name) => {
  expect(() => throttle([setting({}), unsupported])).toThrow(
    `Stage.MethodSettings: ${name} is not supported by the emulator: remove it from the stack, or add support`,
  );
});
