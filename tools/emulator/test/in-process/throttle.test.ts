import { describe, expect, test } from '@jest/globals';
import type { Json, JsonObject } from '../../json.ts';
import type { Route } from '../../rest-api/routes.ts';
import { throttleOf, tokenBucket } from '../../rest-api/throttle.ts';
import { resource } from '../fixtures/resources.ts';
import { template } from '../fixtures/template.ts';

describe('tokenBucket', () => {
  test('allows the burst, then what the rate refilled, never more than the burst', () => {
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

  test('starts full, with the clock of the process', () => {
    const take = tokenBucket(0, 1);
    expect([take(), take()]).toEqual([true, false]);
  });
});

describe('throttleOf', () => {
  const route: Route = {
    method: 'POST',
    path: '/plants/{id}',
    resourceId: '',
    authorizerId: undefined,
    uri: '',
    timeoutMs: 0,
  };
  const setting = (ResourcePath: string, HttpMethod: string, burst: Json, rate: Json = 0): JsonObject => ({
    ResourcePath,
    HttpMethod,
    ThrottlingBurstLimit: burst,
    ThrottlingRateLimit: rate,
  });
  const allowed = (settings: Json) => {
    const { only, resolver } = template({
      Stage: resource('AWS::ApiGateway::Stage', { MethodSettings: settings }),
    });
    const take = throttleOf(route, resolver.properties(only));
    return Array.from({ length: 5 }, take).filter(Boolean).length;
  };

  test.each<[string, Json, number]>([
    [
      'the setting of the method, before that of all methods',
      [setting('/*', '*', 4), setting('/~1plants~1{id}', 'POST', 2)],
      2,
    ],
    ['the setting of all methods', [setting('/*', '*', 4)], 4],
    ['no setting', [], 5],
    ['a setting of another method', [setting('/~1plants~1{id}', 'GET', 0)], 5],
    ['a setting of another path', [setting('/~1plants', 'POST', 0)], 5],
    ['a setting of all paths for one method', [setting('/*', 'GET', 0)], 5],
    ['a setting of all methods for one path', [setting('/~1trees', '*', 0)], 5],
    ['a burst alone', [{ ResourcePath: '/*', HttpMethod: '*', ThrottlingBurstLimit: 3 }], 5],
    ['a rate alone', [{ ResourcePath: '/*', HttpMethod: '*', ThrottlingRateLimit: 1 }], 5],
    ['numbers as strings', [setting('/*', '*', '1', '0')], 1],
    ['a setting that is not an object', ['x'], 5],
    ...['DataTraceEnabled', 'LoggingLevel', 'MetricsEnabled'].map((name): [string, Json, number] => [
      `${name}, which it ignores`,
      [{ ...setting('/*', '*', 1), [name]: true }],
      1,
    ]),
  ])('applies %s: %j allows %i of 5 requests', (_what, settings, expected) => {
    expect(allowed(settings)).toBe(expected);
  });

  test('rejects unsupported and mistyped settings by name', () => {
    expect(() => allowed([{ ...setting('/*', '*', 1), CachingEnabled: true }])).toThrow(
      /^Stage\.MethodSettings: CachingEnabled is not supported by the emulator: add it in emulator\/rest-api\/throttle\.ts, or remove it from the stack$/,
    );
    expect(() => allowed([setting('/*', '*', {})])).toThrow(
      /^Stage\.MethodSettings\.ThrottlingBurstLimit must be a number/,
    );
    expect(() => allowed({})).toThrow(/^Stage\.MethodSettings must be an array/);
  });
});
