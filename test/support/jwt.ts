import { type KeyObject, sign } from 'node:crypto';

export interface JwtParts {
  readonly header: Readonly<Record<string, unknown>>;
  readonly payload: Readonly<Record<string, unknown>>;
}

/** A JWT; the signer signs its first two parts. */
export function jwt({ header, payload }: JwtParts, signer: (signingInput: Buffer) => Buffer): string {
  const signingInput = `${base64url(header)}.${base64url(payload)}`;
  return `${signingInput}.${signer(Buffer.from(signingInput)).toString('base64url')}`;
}

/** Signs as RS256 does with an RSA key, and as ES256 does with an EC key. */
export function sha256Signature(privateKey: KeyObject): (signingInput: Buffer) => Buffer {
  return (signingInput) => sign('sha256', signingInput, { key: privateKey, dsaEncoding: 'ieee-p1363' });
}

function base64url(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
