import { describe, expect, test } from '@jest/globals';
import type { Json, JsonObject } from '../../../emulator/json.ts';
import type { Route } from '../../../emulator/rest-api/routes.ts';
import { throttleOf, tokenBucket } from '../../../emulator/rest-api/throttle.ts';
import { resource } from '../../emulator/fixtures/resources.ts';
import { template } from '../../emulator/fixtures/template.ts';

describe('a token bucket', () => {
  test('lets its burst through, then as many as its rate has refilled, never more than its burst', () => {
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

  test('starts full, by its own clock', () => {
    const take = tokenBucket(0, 1);
    expect([take(), take()]).toEqual([true, false]);
  });
});

describe('the throttle of a method', () => {
  const route: Route = {
    method: 'POST',
    resourcePath: '/plants/{id}',
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
    const take = throttleOf(route, only, resolver);
    return Array.from({ length: 5 }, take).filter(Boolean).length;
  };

  test.each<[string, Json, number]>([
    ['its own, before that of all', [setting('/*', '*', 4), setting('/~1plants~1{id}', 'POST', 2)], 2],
    ['that of all', [setting('/*', '*', 4)], 4],
    ['none, where there is none', [], 5],
    ['none, where it is another method’s', [setting('/~1plants~1{id}', 'GET', 0)], 5],
    ['none, where it is another path’s', [setting('/~1plants', 'POST', 0)], 5],
    ['none, where all paths of one method are meant', [setting('/*', 'GET', 0)], 5],
    ['none, where one path of all methods is meant', [setting('/~1trees', '*', 0)], 5],
    ['a burst alone', [{ ResourcePath: '/*', HttpMethod: '*', ThrottlingBurstLimit: 3 }], 5],
    ['a rate alone', [{ ResourcePath: '/*', HttpMethod: '*', ThrottlingRateLimit: 1 }], 5],
    ['numbers as texts', [setting('/*', '*', '1', '0')], 1],
    ['what is no setting', ['x'], 5],
    ...['DataTraceEnabled', 'LoggingLevel', 'MetricsEnabled'].map((name): [string, Json, number] => [
      `${name}, which changes nothing`,
      [{ ...setting('/*', '*', 1), [name]: true }],
      1,
    ]),
  ])('is %s', (_what, settings, expected) => {
    expect(allowed(settings)).toBe(expected);
  });

  test('is refused by name, where it cannot be honoured', () => {
    expect(() => allowed([{ ...setting('/*', '*', 1), CachingEnabled: true }])).toThrow(
      /^Stage\.MethodSettings: the emulator doesn't know CachingEnabled: add it to the emulator in emulator\/rest-api\/throttle\.ts, or remove it from lib\/$/,
    );
    expect(() => allowed([setting('/*', '*', {})])).toThrow(/^Stage\.ThrottlingBurstLimit must be a number/);
    expect(() => allowed({})).toThrow(/^Stage\.MethodSettings must be a list/);
  });
});
