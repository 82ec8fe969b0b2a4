import { createHash, randomBytes } from 'node:crypto';

/**
 * An access token is `plantstore_<id>_<secret>`, in RFC 6750's alphabet. The prefix lets secret scanners
 * find one that leaked; the id is public and may be logged; the secret is 256 random bits, of which only
 * the SHA-256 is stored. A plain hash is enough: nobody guesses 256 bits, so there is nothing to slow down.
 */
const ID_BYTES = 8;
const SECRET_BYTES = 32;

/** The pattern of an access token, without anchors and capturing groups. */
export const ACCESS_TOKEN_PATTERN = `plantstore_[0-9a-f]{${2 * ID_BYTES}}_[0-9a-f]{${2 * SECRET_BYTES}}`;

const ACCESS_TOKEN = new RegExp(`^${ACCESS_TOKEN_PATTERN}$`);

/** The public id of an access token. */
export const TOKEN_ID = new RegExp(`^[0-9a-f]{${2 * ID_BYTES}}$`);

export interface AccessToken {
  readonly id: string;
  /** SHA-256 of the secret, in hex. */
  readonly hash: string;
}

/** @returns a new access token, with its text in the clear, which is stored nowhere */
export function mintAccessToken(): AccessToken & { readonly text: string } {
  const id = randomBytes(ID_BYTES).toString('hex');
  const secret = randomBytes(SECRET_BYTES).toString('hex');
  return { id, hash: sha256(secret), text: `plantstore_${id}_${secret}` };
}

/** @returns undefined if the text is not an access token */
export function parseAccessToken(text: string): AccessToken | undefined {
  if (!ACCESS_TOKEN.test(text)) return undefined;
  const secretAt = text.length - 2 * SECRET_BYTES;
  return { id: text.slice(secretAt - 1 - 2 * ID_BYTES, secretAt - 1), hash: sha256(text.slice(secretAt)) };
}

function sha256(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}
