/** Whether a token's claims grant a scope: in `scope` (RFC 9068 §2.2.3), or in `scp`, as some providers have it. */
export function hasScope(claims: Readonly<Record<string, unknown>>, wanted: string): boolean {
  return [claims.scope, claims.scp].some((claim) => grants(claim, wanted));
}

function grants(claim: unknown, wanted: string): boolean {
  const scopes = typeof claim === 'string' ? claim.split(' ') : claim;
  return Array.isArray(scopes) && scopes.includes(wanted);
}
