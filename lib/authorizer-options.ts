import { Duration } from 'aws-cdk-lib';
import type { Node } from 'constructs';
import { OptionError } from './option-error.ts';

/** The OpenID Connect provider whose tokens let requests through, in place of our own access tokens. */
export interface OidcProvider {
  /** As in the `iss` claim of its tokens. */
  readonly issuer: string;
  /** What the `aud` claim of a token must name. */
  readonly audience: string;
  /** A scope that a token must grant. */
  readonly scope?: string;
}

/** What the CDK context may say of the authorizer: each absent where it says nothing. */
export interface AuthorizerOptions {
  readonly oidc?: OidcProvider;
  readonly authorizerCacheTtl?: Duration;
}

/** The names of the options that are read here. */
export const AUTHORIZER_OPTIONS = [
  'oidcIssuer',
  'oidcAudience',
  'oidcScope',
  'authorizerCacheSeconds',
] as const;

/** The longest time that API Gateway keeps an authorizer's answer. */
const MAX_CACHE_SECONDS = 3600;

/**
 * Reads `-c oidcIssuer=… -c oidcAudience=… [-c oidcScope=…]` and `-c authorizerCacheSeconds=…`.
 *
 * @throws where one is missing that another needs, or is malformed
 */
export function authorizerOptions(node: Node): AuthorizerOptions {
  const oidc = oidcProvider(node);
  const authorizerCacheTtl = cacheTtl(node);
  return { ...(oidc && { oidc }), ...(authorizerCacheTtl && { authorizerCacheTtl }) };
}

function oidcProvider(node: Node): OidcProvider | undefined {
  const issuer = text(node, 'oidcIssuer');
  const audience = text(node, 'oidcAudience');
  const scope = text(node, 'oidcScope');
  if (issuer === undefined && audience === undefined && scope === undefined) return undefined;
  if (issuer === undefined || audience === undefined) {
    throw new OptionError('OpenID Connect takes both: -c oidcIssuer=https://… -c oidcAudience=…');
  }
  if (!isIssuer(issuer)) {
    throw new OptionError(
      `oidcIssuer must be an https address without a query or fragment, not ${JSON.stringify(issuer)}`,
    );
  }
  // RFC 6749 §3.3: what one scope may consist of.
  if (scope !== undefined && !/^[\x21\x23-\x5b\x5d-\x7e]+$/.test(scope)) {
    throw new OptionError(
      `oidcScope must be one scope, without spaces or quotes, not ${JSON.stringify(scope)}`,
    );
  }
  return { issuer, audience, ...(scope === undefined ? {} : { scope }) };
}

/** OpenID Connect Core 1.0 §2, `iss`. */
function isIssuer(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url?.protocol === 'https:' && url.username === '' && !/[?#\s]/.test(text);
}

function cacheTtl(node: Node): Duration | undefined {
  const value: unknown = node.tryGetContext('authorizerCacheSeconds');
  if (value === undefined) return undefined;
  const seconds = /^\d{1,4}$/.test(String(value)) ? Number(value) : Number.NaN;
  if (!(seconds <= MAX_CACHE_SECONDS)) {
    throw new OptionError(
      `authorizerCacheSeconds must be whole seconds from 0 to ${MAX_CACHE_SECONDS}, not ${JSON.stringify(value)}`,
    );
  }
  return Duration.seconds(seconds);
}

function text(node: Node, name: string): string | undefined {
  const value: unknown = node.tryGetContext(name);
  if (value === undefined) return undefined;
  if (typeof value !== 'string' || value.trim() === '') throw new OptionError(`${name} must not be empty`);
  return value;
}
