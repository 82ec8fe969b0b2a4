/** Whether a token's claims grant a scope: in `scope` (RFC 9068 §2.2.3), or in `scp`, as some providers have it. */
export function hasScope(claims: Readonly<Record<string, unknown>>, wanted: string): boolean {
  return [claims.scope, claims.scp].flatMap(scopesIn).includes(wanted);
}

function scopesIn(claim: unknown): unknown[] {
  if (typeof claim === 'string') return claim.split(' ');
  return Array.isArray(claim) ? claim : [];
}
