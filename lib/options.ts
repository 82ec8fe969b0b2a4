import { Duration } from 'aws-cdk-lib';
import type { Node } from 'constructs';
import { OptionError } from './option-error.ts';
import { STAGES, type StageName } from './stage-names.ts';

const ROLLOUTS = ['canary', 'all-at-once'] as const;
/** How a new version takes over: a tenth of the requests first, or all requests at once. */
export type Rollout = (typeof ROLLOUTS)[number];

/** The OpenID Connect provider whose tokens let requests through, in place of our own access tokens. */
export interface OidcProvider {
  /** As in the `iss` claim of its tokens. */
  readonly issuer: string;
  /** What the `aud` claim of a token must name. */
  readonly audience: string;
  /** A scope that a token must grant. */
  readonly scope?: string | undefined;
}

/** What `cdk deploy -c NAME=VALUE` may say: each undefined where it says nothing. */
export interface Options {
  readonly stage: StageName | undefined;
  readonly rollout: Rollout | undefined;
  readonly alarmEmail: string | undefined;
  readonly oidc: OidcProvider | undefined;
  readonly authorizerCacheTtl: Duration | undefined;
}

const NAMES = [
  'stage',
  'rollout',
  'alarmEmail',
  'oidcIssuer',
  'oidcAudience',
  'oidcScope',
  'authorizerCacheSeconds',
] as const;
type OptionName = (typeof NAMES)[number];

/** The longest time that API Gateway keeps an authorizer's answer. */
const MAX_CACHE_SECONDS = 3600;

/** @throws OptionError where an option is none of ours, has a value that it can't have, or lacks another */
export function readOptions(node: Node): Options {
  refuseUnknown(node);
  return {
    stage: oneOf(node, 'stage', STAGES),
    rollout: oneOf(node, 'rollout', ROLLOUTS),
    alarmEmail: option(node, 'alarmEmail', 'an e-mail address', asEmail, 'ops@example.com'),
    oidc: oidcProvider(node),
    authorizerCacheTtl: option(
      node,
      'authorizerCacheSeconds',
      `whole seconds from 0 to ${MAX_CACHE_SECONDS}`,
      asCacheTtl,
    ),
  };
}

/** Context keys of tools have a `:`, `/` or `-` in them; a plain word is meant for us. */
function refuseUnknown(node: Node): void {
  const names: readonly string[] = NAMES;
  const unknown = Object.keys(node.getAllContext()).find((key) => /^\w+$/.test(key) && !names.includes(key));
  if (unknown === undefined) return;
  throw new OptionError(
    `there is no option ${unknown}: the options are ${NAMES.join(', ')} (docs/operations.md)`,
  );
}

/**
 * @param meaning what the option must be
 * @param read gives undefined for what the option can't be
 * @param example a value to offer to whoever gave a wrong one
 */
function option<Value>(
  node: Node,
  name: OptionName,
  meaning: string,
  read: (given: unknown) => Value | undefined,
  example?: string,
): Value | undefined {
  const given: unknown = node.tryGetContext(name);
  if (given === undefined) return undefined;
  const value = read(given);
  if (value !== undefined) return value;
  const hint = example === undefined ? '' : `: -c ${name}=${example}`;
  throw new OptionError(`${name} must be ${meaning}, not ${JSON.stringify(given)}${hint}`);
}

function oneOf<Value extends string>(node: Node, name: OptionName, values: readonly Value[]) {
  const read = (given: unknown) => values.find((value) => value === given);
  return option(node, name, values.join(' or '), read, values[0]);
}

function text(
  node: Node,
  name: OptionName,
  meaning: string,
  accepts: (given: string) => boolean = () => true,
): string | undefined {
  return option(node, name, meaning, (given) => {
    if (typeof given !== 'string') return undefined;
    if (given.trim() === '')
      throw new OptionError(`${name} must not be empty: give it a value, or leave it out`);
    return accepts(given) ? given : undefined;
  });
}

function oidcProvider(node: Node): OidcProvider | undefined {
  const issuer = text(node, 'oidcIssuer', 'an https address without a query or fragment', isIssuer);
  const audience = text(node, 'oidcAudience', 'a text');
  const scope = text(node, 'oidcScope', 'one scope, without spaces or quotes', isScope);
  if (issuer === undefined && audience === undefined && scope === undefined) return undefined;
  if (issuer === undefined || audience === undefined) {
    throw new OptionError('OpenID Connect takes both: -c oidcIssuer=https://… -c oidcAudience=…');
  }
  return { issuer, audience, scope };
}

/** OpenID Connect Core 1.0 §2, `iss`. */
function isIssuer(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url?.protocol === 'https:' && url.username === '' && !/[?#\s]/.test(text);
}

/** RFC 6749 §3.3: what one scope may consist of. */
function isScope(text: string): boolean {
  return /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(text);
}

function asEmail(given: unknown): string | undefined {
  return typeof given === 'string' && /^[^\s@]+@[^\s@]+$/.test(given) ? given : undefined;
}

function asCacheTtl(given: unknown): Duration | undefined {
  const seconds = /^\d{1,4}$/.test(String(given)) ? Number(given) : Number.NaN;
  return seconds <= MAX_CACHE_SECONDS ? Duration.seconds(seconds) : undefined;
}
