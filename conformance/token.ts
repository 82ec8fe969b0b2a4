import { randomBytes } from 'node:crypto';

/** The tokens that a run sends. */
export interface Tokens {
  /** The access token, or the JWT of an OpenID Connect provider. */
  readonly token: string;
  /** The same with another secret, which is random: it may become known. */
  readonly wrong: string;
}

/** The part of a token that may be known: the id of an access token, or the header and claims of a JWT. */
const PUBLIC_PART = /^(?:plantstore_[0-9a-f]{16}_|[\w-]+\.[\w-]+\.)(?=.)/;

/** So long that no other text contains it by chance. */
const FRAGMENT_LENGTH = 12;

export function tokensOf(token: string): Tokens {
  const [publicPart, { length }] = partsOf(token);
  return { token, wrong: publicPart + randomBytes(length).toString('hex').slice(0, length) };
}

/** Returns the text without the secrets of the tokens, and without parts of them, because a response can be cut off. */
export function redact(text: string, { token, wrong }: Tokens): string {
  return withoutFragments(withoutFragments(text, token, '<token>'), wrong, '<wrong>');
}

function withoutFragments(text: string, token: string, replacement: string): string {
  const [, secret] = partsOf(token);
  const size = Math.min(FRAGMENT_LENGTH, secret.length);
  const fragments = new Set(Array.from(secret.slice(size - 1), (_, at) => secret.slice(at, at + size)));
  const isFragment = (at: number) => fragments.has(text.slice(at, at + size));
  let redacted = '';
  for (let at = 0; at < text.length; ) {
    let end = at;
    while (isFragment(end)) end += 1;
    redacted += end > at ? replacement : text.charAt(at);
    at = end > at ? end - 1 + size : at + 1;
  }
  return redacted;
}

function partsOf(token: string): [publicPart: string, secret: string] {
  const [publicPart = ''] = PUBLIC_PART.exec(token) ?? [];
  return [publicPart, token.slice(publicPart.length)];
}
