import type { JwtPayload } from 'aws-jwt-verify/jwt-model';
import type { Caller } from '../shared/tokens/authorizer-policy.ts';

/** The claims of a token whose signature, issuer, audience and time are valid. */
export type Claims = JwtPayload & { readonly sub: string };

/** The caller in a token's claims: its subject, and the client that it was issued to, if there is one. */
export function callerOf(claims: Claims): Caller {
  const { sub, client_id, azp } = claims;
  const client = [client_id, azp].find((claim) => typeof claim === 'string') ?? sub;
  return { principalId: loggable(sub), client: loggable(String(client)) };
}

/** API Gateway writes both into its access log unescaped: a quote would break out of the JSON there. */
function loggable(value: string): string {
  return value.replace(/[^\x20-\x7e]|["\\]/g, '?');
}

/** Whether a token's claims grant a scope: in `scope` (RFC 9068 §2.2.3), or in `scp`, as some providers have it. */
export function hasScope(claims: Readonly<Record<string, unknown>>, scope: string): boolean {
  return [claims.scope, claims.scp].some((claim) => grants(claim, scope));
}

function grants(claim: unknown, scope: string): boolean {
  const scopes = typeof claim === 'string' ? claim.split(' ') : claim;
  return Array.isArray(scopes) && scopes.includes(scope);
}
