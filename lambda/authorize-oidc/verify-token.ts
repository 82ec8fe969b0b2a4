import { isNativeError } from 'node:util/types';
import { FetchError, JwksValidationError, JwkValidationError, JwtBaseError } from 'aws-jwt-verify/error';
import type { JwtPayload } from 'aws-jwt-verify/jwt-model';
import { JwtVerifier } from 'aws-jwt-verify/jwt-verifier';
import { configurationUrl, issuerKeys } from './issuer-keys.ts';

/** How far the issuer's clock may be from ours. */
const CLOCK_SKEW_SECONDS = 5;

/** How long a key that the issuer has withdrawn may still count. */
const KEYS_LIFETIME_MS = 60 * 60 * 1000;

/** What a token says, its signature, issuer, audience and time being right. */
export type Claims = JwtPayload & { readonly sub: string };

/** @returns undefined where the token is refused. @throws where it could not be checked */
export type VerifyToken = (jwt: string) => Promise<Claims | undefined>;

/** Verifies tokens of one issuer for one audience, by the keys that the issuer publishes. */
export function tokenVerifier(issuer: string, audience: string): VerifyToken {
  const create = () =>
    JwtVerifier.create(
      { issuer, audience, jwksUri: configurationUrl(issuer), graceSeconds: CLOCK_SKEW_SECONDS },
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
      if (isRefusal(error)) return undefined;
      throw error;
    }
  };
}

/** The verifier takes a token that never expires or that speaks for nobody; we don't (RFC 9068 §2.2). */
function isComplete(payload: JwtPayload): payload is Claims {
  return payload.exp !== undefined && payload.sub !== undefined && payload.sub !== '';
}

/**
 * Whether the token is to blame. A key that the issuer hadn't got within the last ten seconds counts as the
 * token's fault: or else anybody could make faults by naming keys.
 */
function isRefusal(error: unknown): boolean {
  const issuerIsToBlame = [FetchError, JwksValidationError, JwkValidationError];
  if (error instanceof JwtBaseError) return !issuerIsToBlame.some((type) => error instanceof type);
  return isMalformedSignature(error);
}

/** What Node throws for a signature that an EC key can't have made, such as one of another length. */
function isMalformedSignature(error: unknown): boolean {
  return isNativeError(error) && 'code' in error && error.code === 'ERR_CRYPTO_OPERATION_FAILED';
}
