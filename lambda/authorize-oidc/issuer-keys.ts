import { SimpleFetcher } from 'aws-jwt-verify/https';
import { isJwk, type Jwks, type JwksCache, SimpleJwksCache } from 'aws-jwt-verify/jwk';

/**
 * The timeout for one request to the issuer. Fetching the issuer's configuration and its keys takes one request each,
 * and each request is retried once. All of them end within 4 seconds, long before the function times out.
 */
const REQUEST_TIMEOUT_MS = 1_000;

/** How long a key that the issuer has withdrawn may still be accepted: verify-token.ts then creates a new cache. */
export const KEYS_LIFETIME_MS = 60 * 60 * 1000;

/** The URL of an issuer's configuration (OpenID Connect Discovery 1.0 §4). */
export function configurationUrl(issuer: string): string {
  return `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
}

/**
 * A cache of the issuer's keys. If a token names an unknown key, the cache fetches the keys again, but at most once
 * every 10 seconds. Each fetch starts with the issuer's configuration, so the cache identifies the keys by that
 * configuration's URL.
 */
export function issuerKeys(issuer: string): JwksCache {
  const https = new SimpleFetcher({
    defaultRequestOptions: { responseTimeout: REQUEST_TIMEOUT_MS },
  });
  return new SimpleJwksCache({
    fetcher: {
      fetch: async (url) => {
        const configuration = parseJson(await https.fetch(url));
        return https.fetch(keysUrl(configuration, issuer));
      },
    },
    jwksParser: (document) => withoutMalformedKeys(parseJson(document), issuer),
  });
}

/** @throws SyntaxError if the document is not JSON */
function parseJson(document: ArrayBuffer): Record<string, unknown> {
  return JSON.parse(Buffer.from(document).toString());
}

/** @throws Error if the configuration belongs to a different issuer, or if its `jwks_uri` is not an https URL */
function keysUrl({ issuer, jwks_uri }: Record<string, unknown>, expectedIssuer: string): string {
  if (issuer !== expectedIssuer) {
    throw new Error(
      `the configuration of ${expectedIssuer} must contain the same issuer, got ${JSON.stringify(issuer)}`,
    );
  }
  if (typeof jwks_uri !== 'string' || !jwks_uri.startsWith('https://')) {
    throw new Error(`the jwks_uri of ${expectedIssuer} must start with https://`);
  }
  return jwks_uri;
}

/**
 * Ignores malformed keys (RFC 7517 §5).
 *
 * @throws Error if the document is not a JSON Web Key Set
 */
function withoutMalformedKeys({ keys }: Record<string, unknown>, issuer: string): Jwks {
  if (!Array.isArray(keys))
    throw new Error(`the jwks_uri of ${issuer} must return a JSON Web Key Set`);
  return { keys: keys.filter(isJwk) };
}
