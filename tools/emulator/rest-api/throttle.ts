import { isObject } from '../json.ts';
import { Properties } from '../properties.ts';
import { unsupported } from '../user-error.ts';

/** Counts a request; returns false if the request must be rejected. */
export type Throttle = () => boolean;

/** A token bucket that holds `burst` requests and is refilled at `rate` requests per second. */
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
    const allowed = tokens >= 1;
    if (allowed) tokens -= 1;
    return allowed;
  };
}

/** The method settings that the emulator supports, or that cannot change a response. */
const SUPPORTED = new Set([
  'DataTraceEnabled',
  'HttpMethod',
  'LoggingLevel',
  'MetricsEnabled',
  'ResourcePath',
  'ThrottlingBurstLimit',
  'ThrottlingRateLimit',
]);

/**
 * Returns the throttle for a method, from the method's own entry in the stage's MethodSettings or, if there is none,
 * from the entry for all methods. A rate without a burst, or a burst without a rate, has no effect in the emulator.
 */
export function throttleOf(route: { method: string; path: string }, stage: Properties): Throttle {
  const path = `${stage.path}.MethodSettings`;
  const settings = stage.array('MethodSettings').filter(isObject);
  const unknown = settings.flatMap((setting) => Object.keys(setting)).find((name) => !SUPPORTED.has(name));
  if (unknown !== undefined) throw unsupported(`${path}: ${unknown}`);
  // In MethodSettings, a slash within a path is written as ~1: /~1plants means /plants, and /* means every path.
  const own = `/${route.path.replaceAll('/', '~1')}`;
  const setting =
    settings.find(({ ResourcePath, HttpMethod }) => ResourcePath === own && HttpMethod === route.method) ??
    settings.find(({ ResourcePath, HttpMethod }) => ResourcePath === '/*' && HttpMethod === '*');
  const limits = Properties.of(setting, path);
  const rate = limits.optionalNumber('ThrottlingRateLimit');
  const burst = limits.optionalNumber('ThrottlingBurstLimit');
  return rate === undefined || burst === undefined ? () => true : tokenBucket(rate, burst);
}
