import { isNativeError } from 'node:util/types';
import { FetchError, JwkValidationError, JwtBaseError, NotSupportedError } from 'aws-jwt-verify/error';
import type { JwtPayload } from 'aws-jwt-verify/jwt-model';
import { JwtVerifier } from 'aws-jwt-verify/jwt-verifier';
import { configurationUrl, issuerKeys } from './issuer-keys.ts';

/** How far the issuer's clock may be ahead or behind. */
const CLOCK_SKEW_SECONDS = 5;

/** How long a key that the issuer has withdrawn may still be accepted. */
const KEYS_LIFETIME_MS = 60 * 60 * 1000;

/** The claims of a token whose signature, issuer, audience and time are valid. */
export type Claims = JwtPayload & { readonly sub: string };

/** @returns undefined if the token is invalid. @throws Error if it could not be checked */
export type VerifyToken = (jwt: string) => Promise<Claims | undefined>;

/** Verifies tokens from one issuer for one audience, with the keys that the issuer publishes. */
export function tokenVerifier(issuer: string, audience: string): VerifyToken {
  const create = () =>
    JwtVerifier.create(
      {
        issuer,
        audience,
        jwksUri: configurationUrl(issuer),
        graceSeconds: CLOCK_SKEW_SECONDS,
        customJwtCheck: rejectExtensions,
      },
      { jwksCache: issuerKeys(issuer) },
    );
  let verifier = create();
  let createdAt = Date.now();

  return async (jwt) => {
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

/** The verifier ignores `crit`, which lists extensions that must be understood (RFC 7515 §4.1.11). We support none. */
function rejectExtensions({ header }: { header: object }): void {
  if ('crit' in header) throw new NotSupportedError();
}

/** Whether a token has an expiry and a subject. RFC 9068 §2.2 requires both; the verifier does not. */
function isComplete(payload: JwtPayload): payload is Claims {
  return payload.exp !== undefined && payload.sub !== undefined && payload.sub !== '';
}

/**
 * Whether the token is invalid, as opposed to the issuer's keys being unavailable. A token is also invalid if the keys
 * that were fetched in the last 10 seconds lack its key: otherwise, anybody could cause faults.
 */
function isInvalidToken(error: unknown): boolean {
  if (error instanceof FetchError || error instanceof JwkValidationError) return false;
  if (error instanceof JwtBaseError) return true;
  // Node throws this for a signature that no EC key can produce, such as one of the wrong length.
  return isNativeError(error) && Reflect.get(error, 'code') === 'ERR_CRYPTO_OPERATION_FAILED';
}
