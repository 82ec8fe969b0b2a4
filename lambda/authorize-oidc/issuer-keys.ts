import { SimpleFetcher } from 'aws-jwt-verify/https';
import { isJwk, type Jwks, type JwksCache, SimpleJwksCache } from 'aws-jwt-verify/jwk';

/**
 * The timeout of one request to the issuer. There are two, for its configuration and for its keys, and each
 * is sent at most twice: all end within 4 seconds, well inside the function's own timeout.
 */
const REQUEST_TIMEOUT_MS = 1_000;

/** The URL of an issuer's configuration (OpenID Connect Discovery 1.0 §4). */
export function configurationUrl(issuer: string): string {
  return `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
}

/**
 * The keys that an issuer signs with, fetched when a token names one that is not known yet. Each fetch starts
 * from the issuer's configuration, so the keys are cached under its URL. Tokens that name keys which the
 * issuer does not have cause one fetch in ten seconds.
 */
export function issuerKeys(issuer: string): JwksCache {
  const https = new SimpleFetcher({ defaultRequestOptions: { responseTimeout: REQUEST_TIMEOUT_MS } });
  return new SimpleJwksCache({
    fetcher: { fetch: async (url) => https.fetch(keysUrl(parseJson(await https.fetch(url)), issuer)) },
    jwksParser: (document) => withoutMalformedKeys(parseJson(document), issuer),
  });
}

/** @throws SyntaxError if a document is not JSON */
function parseJson(document: ArrayBuffer): Record<string, unknown> {
  return JSON.parse(Buffer.from(document).toString());
}

/** @throws Error if a configuration is another issuer's, or its `jwks_uri` is not https */
function keysUrl({ issuer, jwks_uri }: Record<string, unknown>, expectedIssuer: string): string {
  if (issuer !== expectedIssuer) {
    throw new Error(`the configuration of the issuer ${expectedIssuer} is for ${JSON.stringify(issuer)}`);
  }
  if (typeof jwks_uri !== 'string' || !jwks_uri.startsWith('https://')) {
    throw new Error(`the issuer ${expectedIssuer} has no https jwks_uri`);
  }
  return jwks_uri;
}

/**
 * A malformed key does not void the others (RFC 7517 §5).
 *
 * @throws Error if a document is not a set of keys
 */
function withoutMalformedKeys({ keys }: Record<string, unknown>, issuer: string): Jwks {
  if (!Array.isArray(keys)) throw new Error(`the jwks_uri of the issuer ${issuer} has no keys`);
  return { keys: keys.filter(isJwk) };
}
