import {
  FetchError,
  JwkValidationError,
  JwtBaseError,
  NotSupportedError,
} from 'aws-jwt-verify/error';
import { JwtVerifier } from 'aws-jwt-verify/jwt-verifier';
import { type Claims, isComplete } from './claims.ts';
import { configurationUrl, issuerKeys, KEYS_LIFETIME_MS } from './issuer-keys.ts';

/** The largest allowed difference between the issuer's clock and ours. */
const CLOCK_SKEW_SECONDS = 5;

/** Returns the claims, or undefined if the token is invalid. @throws Error if the token could not be checked. */
export type VerifyToken = (jwt: string) => Promise<Claims | undefined>;

/**
 * Verifies one issuer's tokens for one audience, with its published keys, by the algorithms that aws-jwt-verify accepts
 * (docs/decisions.md#openid-connect).
 */
export function tokenVerifier(issuer: string, audience: string): VerifyToken {
  const create = () =>
    JwtVerifier.create(
      {
        issuer,
        audience,
        // Not the keys' URL, but where the cache finds it.
        jwksUri: configurationUrl(issuer),
        graceSeconds: CLOCK_SKEW_SECONDS,
        customJwtCheck: rejectExtensions,
      },
      { jwksCache: issuerKeys(issuer) },
    );
  let verifier = create();
  let createdAt = Date.now();

  return async (jwt) => {
    // The cache fetches keys again only for an unknown key, so it would keep a withdrawn key.
    if (Date.now() - createdAt > KEYS_LIFETIME_MS) {
      verifier = create();
      createdAt = Date.now();
    }
    try {
      const payload = await verifier.verify(jwt);
      return isComplete(payload) ? payload : undefined;
    } catch (error) {
      if (isInvalidToken(error)) return undefined;
      throw error;
    }
  };
}

/** Rejects any token with extensions that a recipient must understand (`crit`, RFC 7515 §4.1.11): we support none. */
function rejectExtensions({ header }: { header: object }): void {
  if ('crit' in header) throw new NotSupportedError();
}

/**
 * Whether an error means that the token is invalid, rather than that the issuer's keys are unavailable. A token with an
 * unknown key is invalid, even if the cache cannot fetch keys again so soon: otherwise, anybody could cause faults.
 */
function isInvalidToken(error: unknown): boolean {
  if (error instanceof FetchError || error instanceof JwkValidationError) return false;
  if (error instanceof JwtBaseError) return true;
  // Node throws this error for a signature that no EC key can produce, such as a signature of the wrong length.
  return Error.isError(error) && 'code' in error && error.code === 'ERR_CRYPTO_OPERATION_FAILED';
}
