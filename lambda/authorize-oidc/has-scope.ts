/** Whether a token's claims grant a scope: in `scope` (RFC 9068 §2.2.3), or in `scp`, as some providers have it. */
export function hasScope(claims: Readonly<Record<string, unknown>>, wanted: string): boolean {
  return [claims.scope, claims.scp].flatMap(scopesIn).includes(wanted);
}

/** What is neither a text nor a list stays as it is, and is no scope. */
function scopesIn(claim: unknown): unknown {
  return typeof claim === 'string' ? claim.split(' ') : claim;
}
