import type { TokenRecord } from '../../lambda/shared/tokens/token-record.ts';

/** What may be told of a token: all but its hash. Times are in ISO 8601; `expiresAt` is null for never. */
export function publicFacts({ id, name, issuedAt, expiresAt }: TokenRecord) {
  return {
    id,
    name,
    issuedAt: isoTime(issuedAt),
    expiresAt: expiresAt === undefined ? null : isoTime(expiresAt),
  };
}

function isoTime(seconds: number): string {
  return new Date(seconds * 1000).toISOString().replace('.000Z', 'Z');
}
