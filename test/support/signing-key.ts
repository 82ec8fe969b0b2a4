import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';

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

interface JwtParts {
  readonly header: Readonly<Record<string, unknown>>;
  readonly payload: Readonly<Record<string, unknown>>;
}

/** Returns a JWT, with the header and the payload signed by `signer`. */
export function jwt({ header, payload }: JwtParts, signer: (signingInput: Buffer) => Buffer): string {
  const signingInput = `${base64url(header)}.${base64url(payload)}`;
  return `${signingInput}.${signer(Buffer.from(signingInput)).toString('base64url')}`;
}

/** Returns a signer that uses RS256 for an RSA key, and ES256 for an EC key. */
function sha256Signature(privateKey: KeyObject): (signingInput: Buffer) => Buffer {
  return (signingInput) => sign('sha256', signingInput, { key: privateKey, dsaEncoding: 'ieee-p1363' });
}

function base64url(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
