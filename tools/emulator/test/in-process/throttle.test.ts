import { expect, test } from '@jest/globals';
import type { Json, JsonObject } from '../../json.ts';
import { Properties } from '../../properties.ts';
import { throttleOf, tokenBucket } from '../../rest-api/throttle.ts';

test('a token bucket allows the burst, then refills at the rate, but never holds more than the burst', () => {
  let now = 0;
  const take = tokenBucket(10, 2, () => now);
  expect([take(), take(), take()]).toEqual([true, true, false]);
  now = 99;
  expect(take()).toBe(false);
  now = 100;
  expect([take(), take()]).toEqual([true, false]);
  now = 60_000;
  expect([take(), take(), take()]).toEqual([true, true, false]);
});

const setting = (ResourcePath: string, HttpMethod: string, burst: Json, rate: Json = 0): JsonObject => ({
  ResourcePath,
  HttpMethod,
  ThrottlingBurstLimit: burst,
  ThrottlingRateLimit: rate,
});
const throttle = (settings: Json) =>
  throttleOf({ method: 'POST', path: '/plants/{id}' }, Properties.of({ MethodSettings: settings }, 'Stage'));

test.each<[string, Json, number]>([
  [
    'settings for the method and for all methods',
    [setting('/*', '*', 4), setting('/~1plants~1{id}', 'POST', 2)],
    2,
  ],
  ['only a setting for all methods', [setting('/*', '*', 4)], 4],
  ['no setting', [], 5],
  ['a setting for a different method', [setting('/~1plants~1{id}', 'GET', 0)], 5],
  ['a setting for one method on all paths', [setting('/*', 'GET', 0)], 5],
  ['a setting for all methods on one path', [setting('/~1trees', '*', 0)], 5],
  ['a burst without a rate', [{ ResourcePath: '/*', HttpMethod: '*', ThrottlingBurstLimit: 3 }], 5],
  ['limits that are strings', [setting('/*', '*', '1', '0')], 1],
])('with %s (%j), allows %i of 5 requests', (_what, settings, expected) => {
  expect(Array.from({ length: 5 }, throttle(settings)).filter(Boolean)).toHaveLength(expected);
});

test('rejects an unsupported method setting, and names it', () => {
  expect(() => throttle([{ ...setting('/*', '*', 1), CachingEnabled: true }])).toThrow(
    /^Stage\.MethodSettings: CachingEnabled is not supported by the emulator: remove it from the stack, or add support/,
  );
});
