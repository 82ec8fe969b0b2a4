import { objectAt } from '../json.ts';
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
 * Returns the throttle of one method, from the stage's setting for all methods. A rate without a burst, or a burst
 * without a rate, has no effect in the emulator.
 * @throws UserError that names a setting for a method, or a setting that the emulator does not support
 */
export function throttleOf(stage: Properties): Throttle {
  const path = `${stage.path}.MethodSettings`;
  const settings = stage.array('MethodSettings').map((setting) => objectAt(setting, path));
  for (const { ResourcePath, HttpMethod } of settings) {
    if (ResourcePath !== '/*' || HttpMethod !== '*') {
      throw unsupported(`${path}: ${HttpMethod} ${ResourcePath}`);
    }
  }
  const unknown = settings.flatMap(Object.keys).find((name) => !SUPPORTED.has(name));
  if (unknown !== undefined) throw unsupported(`${path}: ${unknown}`);
  const limits = Properties.of(settings[0], path);
  const rate = limits.optionalNumber('ThrottlingRateLimit');
  const burst = limits.optionalNumber('ThrottlingBurstLimit');
  return rate === undefined || burst === undefined ? () => true : tokenBucket(rate, burst);
}
