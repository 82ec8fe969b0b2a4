import { objectAt, Properties } from '../json.ts';
import { unsupported } from '../user-error.ts';

/** Counts a request; returns false if the request must be rejected. */
export type Throttle = () => boolean;

/** A token bucket that holds `burst` requests and is refilled at `rate` requests per second. */
export function tokenBucket(rate: number, burst: number): Throttle {
  let tokens = burst;
  let last = performance.now();
  return () => {
    const now = performance.now();
    tokens = Math.min(burst, tokens + ((now - last) / 1000) * rate);
    last = now;
    const allowed = tokens >= 1;
    if (allowed) tokens -= 1;
    return allowed;
  };
}

const IGNORED = ['DataTraceEnabled', 'LoggingLevel', 'MetricsEnabled'];

/**
 * Returns the throttle of one method, from the stage's setting for all methods. A rate without a burst, or a burst
 * without a rate, has no effect in the emulator.
 * @throws UserError that names a setting for a method, or a setting that the emulator does not support
 */
export function throttleOf(stage: Properties): Throttle {
  const path = `${stage.path}.MethodSettings`;
  const settings = stage.array('MethodSettings').map((setting) => objectAt(setting, path));
  for (const {
    ResourcePath,
    HttpMethod,
    ThrottlingRateLimit,
    ThrottlingBurstLimit,
    ...others
  } of settings) {
    if (ResourcePath !== '/*' || HttpMethod !== '*') {
      throw unsupported(`${path}: ${HttpMethod} ${ResourcePath}`);
    }
    const unknown = Object.keys(others).find((name) => !IGNORED.includes(name));
    if (unknown !== undefined) throw unsupported(`${path}: ${unknown}`);
  }
  if (settings.length > 1) throw unsupported(`${path}: several settings`);
  const limits = Properties.of(settings[0], path);
  const rate = limits.optionalNumber('ThrottlingRateLimit');
  const burst = limits.optionalNumber('ThrottlingBurstLimit');
  return rate === undefined || burst === undefined ? () => true : tokenBucket(rate, burst);
}
