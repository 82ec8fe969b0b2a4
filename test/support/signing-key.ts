import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { jwt, sha256Signature } from './jwt.ts';

/** An issuer's key. */
export interface SigningKey {
  readonly kid: string;
  readonly publicKey: KeyObject;
  readonly jwk: object;
  sign(payload: Readonly<Record<string, unknown>>, header?: Readonly<Record<string, unknown>>): string;
}

export function rsaKey(kid: string): SigningKey {
  return signingKey(kid, 'RS256', generateKeyPairSync('rsa', { modulusLength: 2048 }));
}

export function ecKey(kid: string): SigningKey {
  return signingKey(kid, 'ES256', generateKeyPairSync('ec', { namedCurve: 'P-256' }));
}

function signingKey(
  kid: string,
  alg: string,
  { publicKey, privateKey }: { publicKey: KeyObject; privateKey: KeyObject },
): SigningKey {
  return {
    kid,
    publicKey,
    // Omits `alg`, as RFC 7517 allows, so that only the code under test decides which algorithm the key allows.
    jwk: { ...publicKey.export({ format: 'jwk' }), kid, use: 'sig' },
    sign: (payload, header = {}) =>
      jwt({ header: { alg, typ: 'at+jwt', kid, ...header }, payload }, sha256Signature(privateKey)),
  };
}
