import { Duration } from 'aws-cdk-lib';

/** The maximum TTL of API Gateway. */
export const MAX_CACHE_SECONDS = 3600;

/** OpenID Connect Core 1.0 §2, `iss`. */
export function isIssuer(value: string): boolean {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  return url?.protocol === 'https:' && url.username === '' && !/[?#\s]/.test(value);
}

/** RFC 6749 §3.3, `scope-token`. */
export function isScope(value: string): boolean {
  return /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(value);
}

export function isEmail(value: string): boolean {
  return /^[^\s@]+@[^\s@]+$/.test(value);
}

export function parseRequests(value: unknown): number | undefined {
  return /^[1-9]\d{0,6}$/.test(String(value)) ? Number(value) : undefined;
}

export function parseCacheTtl(value: unknown): Duration | undefined {
  const seconds = /^\d{1,4}$/.test(String(value)) ? Number(value) : Number.NaN;
  return seconds <= MAX_CACHE_SECONDS ? Duration.seconds(seconds) : undefined;
}
