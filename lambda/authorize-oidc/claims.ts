import type { JwtPayload } from 'aws-jwt-verify/jwt-model';
import type { Caller } from '../shared/tokens/token-authorizer.ts';

/** The claims of an unexpired token that has a valid signature, issuer and audience. */
export type Claims = JwtPayload & { readonly sub: string };

/** Whether a token has an expiry and a subject. RFC 9068 §2.2 requires both, but the verifier requires neither. */
export function isComplete(payload: JwtPayload): payload is Claims {
  return payload.exp !== undefined && payload.sub !== undefined && payload.sub !== '';
}

/** Returns the token's subject and client; if the token names no client, the subject serves as the client. */
export function callerOf(claims: Claims): Caller {
  const { sub, client_id, azp } = claims;
  const client = [client_id, azp].find((claim) => typeof claim === 'string') ?? sub;
  return { principalId: sub, client: String(client) };
}

/** Whether a token grants a scope in its claim `scope` (RFC 9068 §2.2.3) or in `scp`, which some providers use. */
export function hasScope(claims: Readonly<Record<string, unknown>>, scope: string): boolean {
  return [claims.scope, claims.scp].some((claim) => grants(claim, scope));
}

function grants(claim: unknown, scope: string): boolean {
  const scopes = typeof claim === 'string' ? claim.split(' ') : claim;
  return Array.isArray(scopes) && scopes.includes(scope);
}
