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

/** Lowercase, as API Gateway requires. */
export function isDomainName(value: string): boolean {
  return (
    value.length <= 253 && /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/.test(value)
  );
}

export function isCertificateArn(value: string): boolean {
  return /^arn:aws[\w-]*:acm:[\w-]+:\d{12}:certificate\/[\w-]+$/.test(value);
}

export function isHostedZoneId(value: string): boolean {
  return /^Z[A-Z0-9]{1,31}$/.test(value);
}

/** Only a regional web ACL of AWS WAF v2 can be associated with a stage of API Gateway. */
export function isWebAclArn(value: string): boolean {
  return /^arn:aws[\w-]*:wafv2:[\w-]+:\d{12}:regional\/webacl\/[\w-]+\/[\w-]+$/.test(value);
}

export function isEmail(value: string): boolean {
  return /^[^\s@]+@[^\s@]+$/.test(value);
}

/** From 1 to 9999999. */
export function parseCount(value: unknown): number | undefined {
  return /^[1-9]\d{0,6}$/.test(String(value)) ? Number(value) : undefined;
}

export function parseCacheTtl(value: unknown): Duration | undefined {
  const seconds = /^\d{1,4}$/.test(String(value)) ? Number(value) : Number.NaN;
  return seconds <= MAX_CACHE_SECONDS ? Duration.seconds(seconds) : undefined;
}
