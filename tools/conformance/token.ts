import { randomBytes } from 'node:crypto';

/** The tokens that a run sends. */
export interface Tokens {
  /** The access token, or the JWT of an OpenID Connect provider. */
  readonly token: string;
  /** The same token with a random secret in place of its own. */
  readonly wrong: string;
}

/** The part of a token that may be known: the id of an access token, or the header and claims of a JWT. */
const PUBLIC_PART = /^(?:plantstore_[0-9a-f]{16}_|[\w-]+\.[\w-]+\.)(?=.)/;

export function tokensOf(token: string): Tokens {
  const [publicPart = ''] = PUBLIC_PART.exec(token) ?? [];
  const { length } = secretOf(token);
  return { token, wrong: publicPart + randomBytes(length).toString('hex').slice(0, length) };
}

/** Returns the text without the secret of the token, which AWS repeats in some messages. */
export function redact(text: string, { token }: Tokens): string {
  return text.replaceAll(secretOf(token), '<token>');
}

function secretOf(token: string): string {
  return token.replace(PUBLIC_PART, '');
}
