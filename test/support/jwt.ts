import { type KeyObject, sign } from 'node:crypto';

export interface JwtParts {
  readonly header: Readonly<Record<string, unknown>>;
  readonly payload: Readonly<Record<string, unknown>>;
}

/** Returns a JWT, with the header and the payload signed by `signer`. */
export function jwt({ header, payload }: JwtParts, signer: (signingInput: Buffer) => Buffer): string {
  const signingInput = `${base64url(header)}.${base64url(payload)}`;
  return `${signingInput}.${signer(Buffer.from(signingInput)).toString('base64url')}`;
}

/** Returns a signer that uses RS256 for an RSA key, and ES256 for an EC key. */
export function sha256Signature(privateKey: KeyObject): (signingInput: Buffer) => Buffer {
  return (signingInput) => sign('sha256', signingInput, { key: privateKey, dsaEncoding: 'ieee-p1363' });
}

function base64url(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
