import { SimpleFetcher } from 'aws-jwt-verify/https';
import { type JwksCache, SimpleJwksCache } from 'aws-jwt-verify/jwk';

/**
 * How long one request to the issuer may take. There are two, for its configuration and for its keys, and
 * each is tried twice: all end within 4 seconds, well inside the function's own timeout.
 */
const REQUEST_TIMEOUT_MS = 1_000;

/** Where an issuer says who it is and where its keys are (OpenID Connect Discovery 1.0 §4). */
export function configurationUrl(issuer: string): string {
  return `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
}

/**
 * The keys that an issuer signs with, fetched when a token names one that isn't known yet. Each fetch starts
 * from the issuer's configuration, so the keys are the cached document of that address. Tokens that name
 * keys which the issuer hasn't got cause one fetch in ten seconds.
 */
export function issuerKeys(issuer: string): JwksCache {
  const https = new SimpleFetcher({ defaultRequestOptions: { responseTimeout: REQUEST_TIMEOUT_MS } });
  return new SimpleJwksCache({
    fetcher: {
      fetch: async (url) =>
        https.fetch(keysUrl(JSON.parse(Buffer.from(await https.fetch(url)).toString()), issuer)),
    },
  });
}

/** @throws where a configuration is another issuer's, or names no keys that are protected on their way */
function keysUrl({ issuer, jwks_uri }: Record<string, unknown>, expectedIssuer: string): string {
  if (issuer !== expectedIssuer) {
    throw new Error(`the issuer ${expectedIssuer} says that it is ${JSON.stringify(issuer)}`);
  }
  if (typeof jwks_uri !== 'string' || !jwks_uri.startsWith('https://')) {
    throw new Error(`the issuer ${expectedIssuer} has no https jwks_uri`);
  }
  return jwks_uri;
}
