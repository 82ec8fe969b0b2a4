import type { Caller } from '../shared/tokens/authorizer-policy.ts';
import type { Claims } from './verify-token.ts';

/** Who sends the token: its subject, and the client that it was issued to, where it tells. */
export function callerOf(claims: Claims): Caller {
  const { sub, client_id, azp } = claims;
  const client = [client_id, azp].find((claim) => typeof claim === 'string') ?? sub;
  return { principalId: loggable(sub), client: loggable(String(client)) };
}

/** API Gateway writes both into its access log as they are: a quote would break out of the JSON there. */
function loggable(text: string): string {
  return text.replace(/[^\x20-\x7e]|["\\]/g, '?');
}
