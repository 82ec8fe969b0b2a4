import { SimpleFetcher } from 'aws-jwt-verify/https';
import { isJwk, type Jwks, type JwksCache, SimpleJwksCache } from 'aws-jwt-verify/jwk';

/**
 * The timeout of one request to the issuer. Its configuration and its keys take one request each, and each request is
 * retried once. All of them end within 4 seconds, long before the function times out.
 */
const REQUEST_TIMEOUT_MS = 1_000;

/** The URL of an issuer's configuration (OpenID Connect Discovery 1.0 §4). */
export function configurationUrl(issuer: string): string {
  return `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
}

/**
 * A cache of the keys that an issuer signs with. It fetches them when a token names an unknown key, but at most once
 * every 10 seconds. Each fetch starts at the issuer's configuration, whose URL therefore identifies the keys.
 */
export function issuerKeys(issuer: string): JwksCache {
  const https = new SimpleFetcher({ defaultRequestOptions: { responseTimeout: REQUEST_TIMEOUT_MS } });
  return new SimpleJwksCache({
    fetcher: { fetch: async (url) => https.fetch(keysUrl(parseJson(await https.fetch(url)), issuer)) },
    jwksParser: (document) => withoutMalformedKeys(parseJson(document), issuer),
  });
}

/** @throws SyntaxError if the document is not JSON */
function parseJson(document: ArrayBuffer): Record<string, unknown> {
  return JSON.parse(Buffer.from(document).toString());
}

/** @throws Error if the configuration belongs to another issuer, or its `jwks_uri` is not https */
function keysUrl({ issuer, jwks_uri }: Record<string, unknown>, expectedIssuer: string): string {
  if (issuer !== expectedIssuer) {
    throw new Error(
      `the issuer must be ${expectedIssuer}, got ${JSON.stringify(issuer)} in its configuration`,
    );
  }
  if (typeof jwks_uri !== 'string' || !jwks_uri.startsWith('https://')) {
    throw new Error(`the issuer ${expectedIssuer} has no https jwks_uri`);
  }
  return jwks_uri;
}

/**
 * Ignores malformed keys (RFC 7517 §5).
 *
 * @throws Error if the document is not a set of keys
 */
function withoutMalformedKeys({ keys }: Record<string, unknown>, issuer: string): Jwks {
  if (!Array.isArray(keys)) throw new Error(`the jwks_uri of the issuer ${issuer} returns no keys`);
  return { keys: keys.filter(isJwk) };
}
