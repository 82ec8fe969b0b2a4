import { unsupported } from '../emulator-error.ts';
import { isObject, listOf, numberOf } from '../json.ts';
import type { Resolver } from '../template/intrinsics.ts';
import type { Resource } from '../template/template.ts';
import type { Route } from './routes.ts';

/** Takes one request; false if it comes too soon. */
export type Throttle = () => boolean;

/** A token bucket: `burst` requests at once, refilled by `rate` a second. */
export function tokenBucket(
  rate: number,
  burst: number,
  now: () => number = performance.now.bind(performance),
): Throttle {
  let tokens = burst;
  let last = now();
  return () => {
    const time = now();
    tokens = Math.min(burst, tokens + ((time - last) / 1000) * rate);
    last = time;
    const taken = tokens >= 1;
    if (taken) tokens -= 1;
    return taken;
  };
}

/** Settings of methods that the stage honours, or that can't change an answer. */
const KNOWN = new Set([
  ...['HttpMethod', 'ResourcePath', 'ThrottlingBurstLimit', 'ThrottlingRateLimit'],
  ...['DataTraceEnabled', 'LoggingLevel', 'MetricsEnabled'],
]);

/**
 * The throttle of a method by the stage's MethodSettings: its own, else that of all methods. A rate without a burst,
 * or a burst without a rate, throttles nothing here.
 */
export function throttleOf(route: Route, stage: Resource, resolver: Resolver): Throttle {
  const settings = listOf(
    resolver.property(stage, 'MethodSettings'),
    `${stage.logicalId}.MethodSettings`,
  ).filter(isObject);
  const unknown = settings.flatMap((setting) => Object.keys(setting)).find((name) => !KNOWN.has(name));
  if (unknown !== undefined)
    throw unsupported(
      `${stage.logicalId}.MethodSettings: the emulator doesn't know ${unknown}`,
      'emulator/rest-api/throttle.ts',
    );
  // A slash within a path is written as ~1: /~1plants is /plants, and /* is every path.
  const own = `/${route.resourcePath.replaceAll('/', '~1')}`;
  const setting =
    settings.find(({ ResourcePath, HttpMethod }) => ResourcePath === own && HttpMethod === route.method) ??
    settings.find(({ ResourcePath, HttpMethod }) => ResourcePath === '/*' && HttpMethod === '*');
  const limit = (name: string) => numberOf(setting?.[name], `${stage.logicalId}.${name}`);
  const rate = limit('ThrottlingRateLimit');
  const burst = limit('ThrottlingBurstLimit');
  return rate === undefined || burst === undefined ? () => true : tokenBucket(rate, burst);
}
